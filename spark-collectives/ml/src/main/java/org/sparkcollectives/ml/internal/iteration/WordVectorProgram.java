package org.sparkcollectives.ml.internal.iteration;

import java.io.Serial;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.mllib.feature.VocabWord;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.ml.internal.rows.PartitionRows;
import org.sparkcollectives.ml.internal.state.Checkpoints;
import org.sparkcollectives.vector.ReduceOp;

/**
 * Vectors of words in one stage: each rank trains all vectors by the sentences of each of its
 * partitions, one allreduce sums up those that have changed, and every rank takes their means, each
 * over the partitions that changed it, as MLlib does.
 */
public final class WordVectorProgram extends IterativeProgram<PartitionRows<int[]>, WordVectors> {
  @Serial private static final long serialVersionUID = 1L;

  /** What stands behind vectors and counts: the squared errors of decisions, and their number. */
  private static final int EXTRA = 2;

  private final SkipGrams how;
  private final Broadcast<VocabWord[]> vocabulary;
  private final Broadcast<float[]> sigmoid;
  private final int fingerprint;

  /**
   * A program.
   *
   * @param how the parameters
   * @param vocabulary the words, each with its way through the tree
   * @param sigmoid MLlib's table of the sigmoid function
   * @param checkpoints where states are kept beyond the application, or null
   */
  WordVectorProgram(
      SkipGrams how,
      Broadcast<VocabWord[]> vocabulary,
      Broadcast<float[]> sigmoid,
      @Nullable Checkpoints checkpoints) {
    super(
        "word vectors",
        new WordVectors(new float[0], new double[0], 0), // of which each rank draws the vectors
        how.iterations(),
        checkpoints);
    this.how = how;
    this.vocabulary = vocabulary;
    this.sigmoid = sigmoid;
    this.fingerprint =
        Arrays.stream(vocabulary.value()).map(each -> each.word() + each.cn()).toList().hashCode();
  }

  /**
   * Runs all iterations.
   *
   * @param sentences sentences of numbers of words, in as many partitions as the parameters say
   * @param how the parameters
   * @param vocabulary the words, each with its way through the tree
   * @param sigmoid MLlib's table of the sigmoid function
   * @return the words' vectors, one after the other
   */
  public static float[] over(
      RDD<int[]> sentences,
      SkipGrams how,
      Broadcast<VocabWord[]> vocabulary,
      Broadcast<float[]> sigmoid) {
    Checkpoints checkpoints = Checkpoints.next(sentences.context(), "words");
    return new WordVectorProgram(how, vocabulary, sigmoid, checkpoints)
        .over(PartitionRows.of(sentences).rdd())
        .elements();
  }

  @Override
  String description() {
    return how + " of words " + fingerprint;
  }

  @Override
  boolean converged(WordVectors vectors) {
    return false;
  }

  /** The description has the words and how often each is there: an iteration would not say more. */
  @Override
  boolean same(Step<WordVectors> step, WordVectors found) {
    return true;
  }

  /** Without the vectors of inner nodes. */
  @Override
  WordVectors result(WordVectors last) {
    float[] words = Arrays.copyOf(last.elements(), how.words() * how.size());
    return new WordVectors(words, last.objective(), last.resumedAt());
  }

  @Override
  Step<WordVectors> step(Communicator communicator, List<PartitionRows<int[]>> parts) {
    HierarchicalSoftmax model = new HierarchicalSoftmax(how, vocabulary.value(), sigmoid.value());
    return (vectors, resumedAt) -> iterated(communicator, model, parts, vectors, resumedAt);
  }

  private WordVectors iterated(
      Communicator communicator,
      HierarchicalSoftmax model,
      List<PartitionRows<int[]>> parts,
      WordVectors vectors,
      int resumedAt) {
    float[] before = vectors.iteration() == 0 ? how.first() : vectors.elements();
    int rest = how.elements() + how.vectors();
    float[] message = new float[rest + EXTRA];
    for (PartitionRows<int[]> part : parts) {
      model.train(part, vectors.iteration() + 1, before);
      model.addTo(message);
    }
    communicator.allReduce(message, ReduceOp.SUM);
    average(message, before);
    double error = message[rest] / Math.max(1, message[rest + 1]);
    return new WordVectors(message, vectors.objectiveAnd(error), resumedAt);
  }

  /** Makes means of sums of vectors; those that nobody has changed are what they were before. */
  private void average(float[] message, float[] before) {
    int size = how.size();
    for (int vector = 0; vector < how.vectors(); vector++) {
      float count = message[how.elements() + vector];
      int from = vector * size;
      if (count == 0) {
        System.arraycopy(before, from, message, from, size);
      } else {
        float share = 1 / count;
        for (int i = from; i < from + size; i++) {
          message[i] *= share;
        }
      }
    }
  }
}
