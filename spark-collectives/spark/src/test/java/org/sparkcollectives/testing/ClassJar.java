package org.sparkcollectives.testing;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** A jar with one class in it, as an application that is submitted. */
public final class ClassJar {
  private ClassJar() {}

  /**
   * Writes the jar.
   *
   * @param jar the file to write
   * @param type its class
   * @return the file
   * @throws IOException if it cannot be written
   */
  public static Path write(Path jar, Class<?> type) throws IOException {
    String entry = type.getName().replace('.', '/') + ".class";
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        InputStream in = requireNonNull(type.getResourceAsStream("/" + entry))) {
      out.putNextEntry(new JarEntry(entry));
      in.transferTo(out);
      out.closeEntry();
    }
    return jar;
  }
}
