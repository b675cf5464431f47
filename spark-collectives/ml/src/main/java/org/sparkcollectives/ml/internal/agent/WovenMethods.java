package org.sparkcollectives.ml.internal.agent;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.apache.spark.rdd.CollectivesSeam;
import org.jspecify.annotations.Nullable;

/**
 * What is woven around methods: code that Byte Buddy copies into them, so that it may name only
 * what they can see. It is never called here.
 */
final class WovenMethods {
  private WovenMethods() {}

  /** Before {@code RDD.treeAggregate}. */
  static final class Aggregate {
    private Aggregate() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static @Nullable Object @Nullable [] enter(
        @Advice.This Object self, @Advice.AllArguments Object[] arguments) {
      return CollectivesSeam.aggregate(self, arguments);
    }
  }

  /** Before {@code RDD.treeReduce}. */
  static final class Reduce {
    private Reduce() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static @Nullable Object @Nullable [] enter(
        @Advice.This Object self, @Advice.AllArguments Object[] arguments) {
      return CollectivesSeam.reduce(self, arguments);
    }
  }

  /** Before {@code FirstOrderMinimizer.iterations}. */
  static final class Optimise {
    private Optimise() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static @Nullable Object @Nullable [] enter(
        @Advice.This Object self, @Advice.AllArguments Object[] arguments) {
      return CollectivesSeam.optimise(self, arguments);
    }
  }

  /** After each of them: the answer, if there is one, is what it returns. */
  static final class Answer {
    private Answer() {}

    @Advice.OnMethodExit
    static void exit(
        @Advice.Enter @Nullable Object @Nullable [] answer,
        @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC)
            @Nullable Object result) {
      if (answer != null) {
        result = answer[0];
      }
    }
  }
}
