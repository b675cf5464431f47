package org.sparkcollectives.ml.internal.agent;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.apache.spark.rdd.CollectivesSeam;
import org.jspecify.annotations.Nullable;

/**
 * What is woven around methods: code that Byte Buddy copies into them, so that it may name only
 * what they can see. It is never called here.
 */
final class WovenCode {
  private WovenCode() {}

  /** Before a method: is there another answer? With one, the method's own code is left out. */
  static final class Question {
    private Question() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static @Nullable Object @Nullable [] enter(
        @Advice.Origin("#t.#m") String method,
        @Advice.This Object self,
        @Advice.AllArguments Object[] arguments) {
      return CollectivesSeam.answer(method, self, arguments);
    }
  }

  /** After it: the answer, if there is one, is what it returns. */
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
