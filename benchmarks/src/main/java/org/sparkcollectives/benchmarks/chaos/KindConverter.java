package org.sparkcollectives.benchmarks.chaos;

import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads the name of a kind of fault.
 *
 * @param <K> the kinds' class
 */
public abstract class KindConverter<K extends FaultKind> implements ITypeConverter<K> {
  private final List<K> kinds;

  /**
   * A converter.
   *
   * @param kinds all that there are
   */
  protected KindConverter(K[] kinds) {
    this.kinds = List.of(kinds);
  }

  @Override
  public final K convert(String slug) {
    return kinds.stream()
        .filter(kind -> kind.slug().equals(slug))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "'"
                        + slug
                        + "' is no kind of fault. Take one of "
                        + kinds.stream().map(FaultKind::slug).collect(Collectors.joining(", "))));
  }
}
