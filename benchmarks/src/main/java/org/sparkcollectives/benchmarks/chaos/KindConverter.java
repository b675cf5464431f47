package org.sparkcollectives.benchmarks.chaos;

import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the name of a kind of fault. */
final class KindConverter implements ITypeConverter<Kind> {
  /** Made by picocli. */
  KindConverter() {}

  @Override
  public Kind convert(String slug) {
    return Arrays.stream(Kind.values())
        .filter(kind -> kind.slug().equals(slug))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "'"
                        + slug
                        + "' is no kind of fault. Take one of "
                        + Arrays.stream(Kind.values())
                            .map(Kind::slug)
                            .collect(Collectors.joining(", "))));
  }
}
