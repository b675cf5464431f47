package org.sparkcollectives.ml.internal.agent;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.utility.JavaModule;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.error.ErrorText;

/**
 * Weaves each {@link WovenMethod} once in a JVM, so that they ask the {@link
 * org.apache.spark.rdd.CollectivesSeam} first.
 */
public final class Weaver {
  private static final String SEAM = "org.apache.spark.rdd.CollectivesSeam";

  private static @Nullable Class<?> woven;

  private Weaver() {}

  /**
   * Weaves, unless that has been done.
   *
   * @return the class of the seam, as the woven methods see it
   * @throws InvalidInputException if the JVM or its classes do not allow it; nothing is woven then
   */
  public static synchronized Class<?> weave() {
    Class<?> known = woven;
    if (known != null) {
      return known;
    }
    ClassLoader spark = RDD.class.getClassLoader();
    Class<?> seam = seam(spark);
    requireMllib(spark, seam);
    install(Agent.instrumentation());
    woven = seam;
    return seam;
  }

  private static void install(Instrumentation instrumentation) {
    Heard heard = new Heard();
    Map<String, List<WovenMethod>> types =
        Arrays.stream(WovenMethod.values()).collect(Collectors.groupingBy(WovenMethod::type));
    AgentBuilder agent =
        new AgentBuilder.Default()
            .disableClassFormatChanges()
            .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
            .with(heard);
    for (Map.Entry<String, List<WovenMethod>> type : types.entrySet()) {
      agent =
          agent
              .type(named(type.getKey()))
              .transform(
                  (builder, description, loader, module, domain) ->
                      woven(builder, type.getValue()));
    }
    var unusedTransformer = agent.installOn(instrumentation);
    Set<String> missing = new TreeSet<>(types.keySet());
    missing.removeAll(heard.transformed);
    if (!missing.isEmpty() || !heard.failed.isEmpty()) {
      throw unsuited("not woven: " + missing + " " + heard.failed);
    }
  }

  /** A class whose methods ask first. */
  private static DynamicType.Builder<?> woven(
      DynamicType.Builder<?> builder, List<WovenMethod> methods) {
    DynamicType.Builder<?> woven = builder;
    for (WovenMethod method : methods) {
      woven =
          woven.visit(
              Advice.to(WovenCode.Question.class, WovenCode.Answer.class)
                  .on(named(method.method()).and(takesArguments(method.arguments()))));
    }
    return woven;
  }

  /** The seam of the loader that has Spark's classes, which gets it where it has none. */
  private static Class<?> seam(ClassLoader spark) {
    try {
      return Class.forName(SEAM, true, spark);
    } catch (ClassNotFoundException notThere) {
      try (InputStream bytes =
          Weaver.class.getResourceAsStream("/" + SEAM.replace('.', '/') + ".class")) {
        if (bytes == null) {
          throw unsuited("the jar lacks " + SEAM);
        }
        return MethodHandles.privateLookupIn(RDD.class, MethodHandles.lookup())
            .defineClass(bytes.readAllBytes());
      } catch (IOException | IllegalAccessException e) {
        throw unsuited(ErrorText.reason(e));
      }
    }
  }

  /** Loads what is to be woven; it must see the same seam as Spark does. */
  private static void requireMllib(ClassLoader spark, Class<?> seam) {
    try {
      for (WovenMethod method : WovenMethod.values()) {
        ClassLoader loader = Class.forName(method.type(), false, spark).getClassLoader();
        if (Class.forName(SEAM, false, loader) != seam) {
          throw unsuited("Spark and " + method.type() + " are loaded apart");
        }
      }
    } catch (ClassNotFoundException e) {
      throw unsuited("no MLlib is on its class path (" + ErrorText.reason(e) + ")");
    }
  }

  private static InvalidInputException unsuited(String reason) {
    return InvalidInputException.of(
        "MLlib stays as it is",
        "the driver's classes cannot be woven: " + reason,
        "use a distribution of Spark with MLlib, or leave out the plugin");
  }

  /** What became of the classes. */
  private static final class Heard extends AgentBuilder.Listener.Adapter {
    private final Set<String> transformed = ConcurrentHashMap.newKeySet();
    private final Map<String, String> failed = new ConcurrentHashMap<>();

    @Override
    public void onTransformation(
        TypeDescription type,
        @Nullable ClassLoader loader,
        @Nullable JavaModule module,
        boolean loaded,
        DynamicType dynamicType) {
      transformed.add(type.getName());
    }

    @Override
    public void onError(
        String type,
        @Nullable ClassLoader loader,
        @Nullable JavaModule module,
        boolean loaded,
        Throwable thrown) {
      failed.put(type, thrown.toString());
    }
  }
}
