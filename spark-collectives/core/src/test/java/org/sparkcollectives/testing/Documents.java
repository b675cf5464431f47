package org.sparkcollectives.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The code blocks of the documents in Markdown. */
public final class Documents {
  private static final Pattern FENCE = Pattern.compile("^```(\\w*)$");
  private static final Pattern ASSIGNMENT = Pattern.compile("[A-Z_]+=.*");

  private Documents() {}

  /**
   * A code block.
   *
   * @param place file and line of its first line
   * @param language the word after the opening fence, may be empty
   * @param text what stands between the fences
   */
  public record Block(String place, String language, String text) {

    /**
     * The commands of a block for a shell: lines, those that end with a backslash together with the
     * next, without comments and settings of variables.
     *
     * @return the words of each command
     */
    public List<List<String>> commands() {
      List<List<String>> commands = new ArrayList<>();
      for (String line : text.replaceAll("\\\\\n *", "\0").split("\n", -1)) {
        // A line that goes on within a word has no blank before the backslash.
        String command = line.replace(" \0", " ").replace("\0", "").replaceAll("(^| )#.*", "");
        List<String> words =
            Arrays.stream(command.strip().split("\\s+", -1))
                .dropWhile(word -> ASSIGNMENT.matcher(word).matches())
                .filter(word -> !word.isEmpty())
                .toList();
        if (!words.isEmpty()) {
          commands.add(words);
        }
      }
      return commands;
    }
  }

  /**
   * All code blocks.
   *
   * @param root the folder of the repository
   * @return the blocks of all documents for users and contributors, in no order
   * @throws IOException if one cannot be read
   */
  public static List<Block> blocks(Path root) throws IOException {
    List<Block> blocks = new ArrayList<>();
    List<Path> files = new ArrayList<>();
    for (Path folder : List.of(root, root.resolve("docs"), root.resolve("examples"))) {
      try (Stream<Path> some = Files.list(folder)) {
        some.filter(file -> file.toString().endsWith(".md")).forEach(files::add);
      }
    }
    for (Path file : files) {
      addBlocks(root.relativize(file).toString(), Files.readAllLines(file), blocks);
    }
    return blocks;
  }

  private static void addBlocks(String file, List<String> lines, List<Block> blocks) {
    String language = null;
    int begin = 0;
    for (int i = 0; i < lines.size(); i++) {
      Matcher fence = FENCE.matcher(lines.get(i));
      if (fence.matches() && language == null) {
        language = fence.group(1);
        begin = i + 1;
      } else if (fence.matches() && language != null) {
        String text = String.join("\n", lines.subList(begin, i)) + "\n";
        blocks.add(new Block(file + ":" + (begin + 1), language, text));
        language = null;
      }
    }
    if (language != null) {
      throw new IllegalStateException(file + ":" + begin + " opens a block that does not end");
    }
  }
}
