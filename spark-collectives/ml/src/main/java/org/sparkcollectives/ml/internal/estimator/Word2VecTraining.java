package org.sparkcollectives.ml.internal.estimator;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Optional;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.mllib.feature.VocabWord;
import org.apache.spark.mllib.feature.Word2Vec;
import org.apache.spark.mllib.feature.Word2VecModel;
import org.apache.spark.rdd.RDD;
import org.apache.spark.util.collection.Utils;
import org.sparkcollectives.ml.internal.bridge.Hidden;
import org.sparkcollectives.ml.internal.iteration.SkipGrams;
import org.sparkcollectives.ml.internal.iteration.WordVectorProgram;
import scala.collection.Iterable;
import scala.collection.mutable.HashMap;
import scala.jdk.javaapi.CollectionConverters;

/** Vectors of words: MLlib counts the words and makes their tree, ranks iterate. */
public final class Word2VecTraining {
  private Word2VecTraining() {}

  /**
   * What {@code mllib.feature.Word2Vec} trains.
   *
   * @param estimator the estimator
   * @param sentences the sentences
   * @param sigmoid its table of the sigmoid function
   * @param vocabulary the words, each with its way through the tree
   * @param numbers the words' numbers
   * @return the model, or nothing where no iteration is asked for
   * @throws org.sparkcollectives.error.InvalidInputException if the vectors are too large to travel
   *     as one object
   */
  public static Optional<Word2VecModel> trained(
      Word2Vec estimator,
      RDD<Iterable<String>> sentences,
      Broadcast<float[]> sigmoid,
      Broadcast<VocabWord[]> vocabulary,
      Broadcast<HashMap<String, Object>> numbers) {
    VocabWord[] words = vocabulary.value();
    SkipGrams how =
        new SkipGrams(
            words.length,
            (long) field(estimator, "trainWordsCount"),
            (int) field(estimator, "vectorSize"),
            (int) field(estimator, "maxSentenceLength"),
            (int) field(estimator, "window"),
            (double) field(estimator, "learningRate"),
            (int) field(estimator, "numPartitions"),
            (int) field(estimator, "numIterations"),
            (long) field(estimator, "seed"));
    if (how.iterations() == 0) {
      return Optional.empty();
    }
    how.check();
    int longest = how.longest();
    JavaRDD<int[]> dealt =
        sentences
            .toJavaRDD()
            .flatMap(sentence -> numbered(sentence, numbers.value(), longest))
            .repartition(how.partitions());
    float[] vectors = WordVectorProgram.over(dealt.rdd(), how, vocabulary, sigmoid);
    Iterable<String> inOrder =
        CollectionConverters.asScala(Arrays.stream(words).map(VocabWord::word).toList());
    return Optional.of(new Word2VecModel(Utils.toMapWithIndex(inOrder), vectors));
  }

  private static Object field(Word2Vec estimator, String name) {
    return requireNonNull(Hidden.field(Word2Vec.class, estimator, name));
  }

  /** The numbers of a sentence's words, where they have one, in pieces that are not too long. */
  @SuppressWarnings("unchecked") // Java does not see of what a collection's like is
  private static Iterator<int[]> numbered(
      Iterable<String> sentence, HashMap<String, Object> numbers, int longest) {
    Iterable<Object> known = (Iterable<Object>) sentence.flatMap(numbers::get);
    return CollectionConverters.asJava(known.grouped(longest).map(Word2VecTraining::array));
  }

  private static int[] array(Iterable<Object> numbers) {
    int[] array = new int[numbers.size()];
    int length = 0;
    for (Object number : CollectionConverters.asJava(numbers)) {
      array[length++] = (int) number;
    }
    return array;
  }
}
