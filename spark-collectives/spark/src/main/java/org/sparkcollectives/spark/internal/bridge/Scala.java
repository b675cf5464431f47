package org.sparkcollectives.spark.internal.bridge;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import scala.collection.AbstractIterator;
import scala.collection.Iterable;
import scala.collection.Iterator;
import scala.concurrent.ExecutionContext;
import scala.concurrent.ExecutionContext$;
import scala.concurrent.Future;
import scala.reflect.ClassTag;
import scala.runtime.AbstractFunction1;
import scala.util.Try;

/**
 * Scala's values as Java's and the reverse, in place of {@code scala.jdk}, which Scala 2.12 lacks.
 */
public final class Scala {
  /** Runs in the thread that completes a future. */
  private static final ExecutionContext SAME_THREAD =
      ExecutionContext$.MODULE$.fromExecutor(Runnable::run);

  private Scala() {}

  /**
   * The tag of any object as Spark's Kryo knows it, which takes none of the class that Scala gives
   * for {@code Object}.
   *
   * @return a tag of {@code Object}, of the class that tags of most classes have
   */
  @SuppressWarnings("unchecked")
  public static ClassTag<Object> anyObject() {
    try {
      return Class.forName("scala.reflect.ClassTag$GenericClassTag")
          .asSubclass(ClassTag.class)
          .getConstructor(Class.class)
          .newInstance(Object.class);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Scala's tags of classes are made otherwise", e);
    }
  }

  /**
   * A view of an iterator.
   *
   * @param elements an iterator of Scala
   * @param <T> the elements' class
   * @return the same elements, taken from it as they are asked for
   */
  public static <T> java.util.Iterator<T> asJava(Iterator<T> elements) {
    return new java.util.Iterator<>() {
      @Override
      public boolean hasNext() {
        return elements.hasNext();
      }

      @Override
      public T next() {
        return elements.next();
      }
    };
  }

  /**
   * A copy of a collection.
   *
   * @param elements a collection of Scala
   * @param <T> the elements' class
   * @return a list of the same elements
   */
  public static <T> List<T> asJava(Iterable<T> elements) {
    List<T> list = new ArrayList<>();
    asJava(elements.iterator()).forEachRemaining(list::add);
    return list;
  }

  /**
   * A future of Java for one of Scala.
   *
   * @param future the future
   * @param <T> the class of its value
   * @return one that is completed as that is, in the same thread
   */
  public static <T> CompletableFuture<T> asJava(Future<T> future) {
    CompletableFuture<T> result = new CompletableFuture<>();
    future.onComplete(
        new AbstractFunction1<Try<T>, Object>() {
          @Override
          public Object apply(Try<T> outcome) {
            return outcome.isSuccess()
                ? result.complete(outcome.get())
                : result.completeExceptionally(outcome.failed().get());
          }
        },
        SAME_THREAD);
    return result;
  }

  /**
   * A view of an iterator.
   *
   * @param elements an iterator of Java
   * @param <T> the elements' class
   * @return the same elements, taken from it as they are asked for
   */
  public static <T> Iterator<T> asScala(java.util.Iterator<T> elements) {
    return new AbstractIterator<>() {
      @Override
      public boolean hasNext() {
        return elements.hasNext();
      }

      @Override
      public T next() {
        return elements.next();
      }
    };
  }
}
