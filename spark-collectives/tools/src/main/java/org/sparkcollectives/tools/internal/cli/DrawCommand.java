package org.sparkcollectives.tools.internal.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.sparkcollectives.internal.draw.Picture;
import org.sparkcollectives.internal.draw.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Draws all ranks' schedules of a problem. */
@Command(
    name = "draw",
    mixinStandardHelpOptions = true,
    description = "Draws the trees that blocks travel along, or every message by round, as SVG.")
final class DrawCommand implements Callable<Integer> {
  private static final String STDOUT = "-";

  @Mixin private final ProblemOptions problem = new ProblemOptions();

  @Option(
      names = "--view",
      paramLabel = "V",
      converter = Views.class,
      description =
          "trees, time (ranks over rounds) or all; if not given, trees where there are at most "
              + Picture.FEW_TREES
              + " and else time")
  private View view = View.AUTO;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "the file to write; standard output if not given or -")
  private String output = STDOUT;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    problem.requireFeasible(view);
    String svg = Picture.of(problem.schedules(), view).svg();
    if (output.equals(STDOUT)) {
      spec.commandLine().getOut().print(svg);
      return 0;
    }
    try {
      Files.writeString(Path.of(output), svg, StandardCharsets.UTF_8);
    } catch (IOException | InvalidPathException e) {
      throw OptionErrors.notWritten(output, e);
    }
    return 0;
  }

  /** Views by their names in lower case. */
  static final class Views implements ITypeConverter<View> {
    @Override
    public View convert(String name) {
      for (View each : View.values()) {
        if (each != View.AUTO && each.name().toLowerCase(Locale.ROOT).equals(name)) {
          return each;
        }
      }
      throw new TypeConversionException("'" + name + "' is none of trees, time, all");
    }
  }
}
