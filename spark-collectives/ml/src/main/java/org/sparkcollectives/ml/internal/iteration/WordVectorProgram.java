package org.sparkcollectives.ml.internal.iteration;

import java.io.Serial;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.mllib.feature.VocabWord;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.ml.internal.objective.SameBits;
import org.sparkcollectives.ml.internal.rows.PartitionRows;
import org.sparkcollectives.ml.internal.state.Checkpoints;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.vector.ReduceOp;

/**
 * Vectors of words in one stage: each rank trains all vectors by the sentences of each of its
 * partitions, one allreduce sums them up where they have changed, and every rank takes their means,
 * each over the partitions that changed it, as MLlib does.
 */
public final class WordVectorProgram extends IterativeProgram<PartitionRows<int[]>, WordVectors> {
  @Serial private static final long serialVersionUID = 1L;

  /** What stands behind vectors and counts: the squared errors of decisions, and their number. */
  private static final int EXTRA = 2;

  /** An odd number by which hashes of 32 bits become ones of 64. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

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
        new WordVectors(new float[0], 0, new double[0], 0), // of which each rank draws the vectors
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

  /** An iteration would be most of the work; the sentences and the parameters say as much. */
  @Override
  boolean same(Step<WordVectors> step, WordVectors found) {
    return step instanceof Iteration now && now.sentences == found.sentences();
  }

  /** Without the vectors of inner nodes. */
  @Override
  WordVectors result(WordVectors last) {
    float[] words = Arrays.copyOf(last.elements(), how.words() * how.size());
    return new WordVectors(words, last.sentences(), last.objective(), last.resumedAt());
  }

  @Override
  void prepare(Communicator communicator) {
    Topology topology = communicator.topology();
    int process = topology.process(communicator.rank());
    long here =
        IntStream.range(0, communicator.size()).filter(r -> topology.process(r) == process).count();
    how.checkHeap(here, Runtime.getRuntime().maxMemory());
  }

  @Override
  Step<WordVectors> step(Communicator communicator, List<PartitionRows<int[]>> parts) {
    return new Iteration(communicator, parts);
  }

  /** An iteration of all ranks. */
  private final class Iteration implements Step<WordVectors> {
    private final Communicator communicator;
    private final List<PartitionRows<int[]>> parts;
    private final HierarchicalSoftmax model;
    private final SameBits sameBits;

    /**
     * The same whatever order a shuffle has brought the sentences in, and whichever rank has them.
     */
    private final long sentences;

    Iteration(Communicator communicator, List<PartitionRows<int[]>> parts) {
      this.communicator = communicator;
      this.parts = parts;
      this.model = new HierarchicalSoftmax(how, vocabulary.value(), sigmoid.value());
      this.sameBits = new SameBits(communicator, "vectors", "iteration");
      long[] sum = {
        parts.stream()
            .flatMap(part -> part.rows().stream())
            .mapToLong(sentence -> SPREAD * Arrays.hashCode(sentence))
            .map(hash -> hash ^ hash >>> Integer.SIZE)
            .sum()
      };
      communicator.allReduce(sum, ReduceOp.SUM);
      this.sentences = sum[0];
    }

    @Override
    public WordVectors after(WordVectors vectors, int resumedAt) {
      float[] before = vectors.iteration() == 0 ? how.first() : vectors.elements();
      int rest = how.elements() + how.vectors();
      float[] message = new float[rest + EXTRA]; // too narrow for squares of hashes
      sameBits.require(Arrays.hashCode(before), vectors.iteration() + 1);
      for (PartitionRows<int[]> part : parts) {
        model.train(part, vectors.iteration() + 1, before);
        model.addTo(message);
      }
      communicator.allReduce(message, ReduceOp.SUM);
      average(message, before);
      double error = message[rest] / Math.max(1, message[rest + 1]);
      return new WordVectors(message, sentences, vectors.objectiveAnd(error), resumedAt);
    }
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
