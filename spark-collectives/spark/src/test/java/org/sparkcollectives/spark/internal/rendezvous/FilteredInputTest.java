package org.sparkcollectives.spark.internal.rendezvous;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.SparkConf;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.internal.vector.VectorErrors;

/** Objects come back by the class loader of the application, and only those of allowed classes. */
class FilteredInputTest {
  private static final ObjectInputFilter ALL = ObjectInputFilter.Config.createFilter("**");

  /** An interface of the application. */
  public interface Named {
    /** Its name. */
    String name();
  }

  /** What stands behind a proxy. */
  public static final class Constant implements InvocationHandler, Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
      return "constant";
    }
  }

  private static InputStream bytes(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    return new ByteArrayInputStream(bytes.toByteArray());
  }

  /** Knows the classes of this test itself, as an executor's loader knows an application's. */
  private static URLClassLoader application() {
    URL classes = FilteredInputTest.class.getProtectionDomain().getCodeSource().getLocation();
    return new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader());
  }

  @Test
  void theSettingHoldsWithBlanksAtItsEnds() throws Exception {
    for (String classes : new String[] {"java.base/*;!*", "java.base/*;!* ", " java.base/*;!*"}) {
      SparkConf conf = new SparkConf(false).set("spark.collectives.objects.filter", classes);
      ObjectInputFilter filter = requireNonNull(SparkCodec.filter(conf), classes);
      ClassLoader loader = FilteredInputTest.class.getClassLoader();
      assertEquals(7, FilteredInput.read(bytes(7), loader, filter), classes);
      InputStream refused = bytes(new Constant());
      assertThrows(
          InvalidClassException.class, () -> FilteredInput.read(refused, loader, filter), classes);
    }
    assertNull(SparkCodec.filter(new SparkConf(false)));
    assertNull(
        SparkCodec.filter(new SparkConf(false).set("spark.collectives.objects.filter", " ")));
  }

  @Test
  void proxiesHaveTheInterfacesOfTheApplication() throws Exception {
    try (URLClassLoader loader = application()) {
      Class<?> named = loader.loadClass(Named.class.getName());
      Class<?> constant = loader.loadClass(Constant.class.getName());
      Object sent =
          Proxy.newProxyInstance(
              loader,
              new Class<?>[] {named},
              (InvocationHandler) constant.getConstructor().newInstance());
      Object received = FilteredInput.read(bytes(sent), loader, ALL);
      assertSame(named, received.getClass().getInterfaces()[0]);
      assertEquals("constant", named.getMethod("name").invoke(received));
    }
  }

  @Test
  void primitivesAndArrays() throws IOException {
    ClassLoader loader = FilteredInputTest.class.getClassLoader();
    assertSame(int.class, FilteredInput.read(bytes(int.class), loader, ALL));
    int[] numbers = {1, 2, 3};
    assertArrayEquals(numbers, (int[]) FilteredInput.read(bytes(numbers), loader, ALL));
  }

  @Test
  void whatTheFilterForbidsIsNotMade() throws IOException {
    ObjectInputFilter numbers = ObjectInputFilter.Config.createFilter("java.lang.Number;!*");
    Object proxy =
        Proxy.newProxyInstance(
            Named.class.getClassLoader(), new Class<?>[] {Named.class}, new Constant());
    ClassLoader loader = Named.class.getClassLoader();
    for (Object value : new Object[] {proxy, new Constant()}) {
      InputStream sent = bytes(value);
      assertThrows(InvalidClassException.class, () -> FilteredInput.read(sent, loader, numbers));
    }
  }

  @Test
  void theClassThatDoesNotPassIsNamedAndTheSettingToo() throws IOException {
    ObjectInputFilter basic = ObjectInputFilter.Config.createFilter("java.base/*;!*");
    InputStream sent = bytes(new Object[] {"let pass", new Constant()});
    ClassLoader loader = Constant.class.getClassLoader();
    IOException e =
        assertThrows(InvalidClassException.class, () -> FilteredInput.read(sent, loader, basic));
    assertEquals(
        Constant.class.getName()
            + "; filter status: REJECTED by spark.collectives.objects.filter or the JVM's own"
            + " filter",
        e.getMessage());
    String told = VectorErrors.notReadable("a received object", e).getMessage();
    assertTrue(told.contains("Add the class to spark.collectives.objects.filter"), told);
    String other = VectorErrors.notReadable("an object", new IOException("x")).getMessage();
    assertEquals(
        "an object cannot be read: the serializer says: x. Give all ranks the same version of its"
            + " class (--jars in Spark), or configure a serializer that can read it (spark.serializer"
            + " in Spark, withCodec of the options elsewhere).",
        other);
  }

  /** A JVM's filter is set once for all: this one has an opinion of this test's class alone. */
  @Test
  void theFilterOfTheVirtualMachineHoldsAsWell() throws IOException {
    AtomicReference<ObjectInputFilter.Status> verdict =
        new AtomicReference<>(ObjectInputFilter.Status.UNDECIDED);
    ObjectInputFilter.Config.setSerialFilter(
        info ->
            info.serialClass() == Constant.class
                ? verdict.get()
                : ObjectInputFilter.Status.UNDECIDED);
    ClassLoader loader = Constant.class.getClassLoader();
    InputStream before = bytes(new Constant());
    assertSame(Constant.class, FilteredInput.read(before, loader, ALL).getClass());
    verdict.set(ObjectInputFilter.Status.REJECTED);
    InputStream after = bytes(new Constant());
    assertThrows(InvalidClassException.class, () -> FilteredInput.read(after, loader, ALL));
    verdict.set(ObjectInputFilter.Status.UNDECIDED);
  }
}
