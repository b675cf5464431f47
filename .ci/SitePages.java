import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Makes the sources of the site, of the repository's documents: links between pages get the names that pages have in the site, and headings the anchors
 * that links name them by. Run from the top as {@code java .ci/SitePages.java TARGET}.
 */
final class SitePages {
  private static final Pattern LINK = Pattern.compile("\\]\\(([\\w./-]+)\\.md(#[\\w-]*)?\\)");
  private static final Pattern IMAGE = Pattern.compile("!\\[[^\\]]*\\]\\(([^)]+)\\)");
  private static final Pattern HEADING = Pattern.compile("#+ +(.*)");

  private SitePages() {}

  /**
   * Writes the sources.
   *
   * @param arguments the folder for them
   * @throws IOException if a file, or an image of a page, is missing, or a file cannot be written
   */
  public static void main(String[] arguments) throws IOException {
    Path target = Path.of(arguments[0]);
    Path pages = target.resolve("markdown");
    Path docs = Path.of("docs");
    try (Stream<Path> files = Files.walk(docs)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".md")).toList()) {
        page(file, pages.resolve(docs.relativize(file)));
      }
    }
    Path results = Path.of("benchmarks", "results");
    try (Stream<Path> files = Files.walk(results)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".md")).toList()) {
        page(file, pages.resolve(file));
      }
    }
    page(Path.of("README.md"), pages.resolve("index.md"));
    page(Path.of("CONTRIBUTING.md"), pages.resolve("CONTRIBUTING.md"));
    Path resources = target.resolve("resources");
    copy(docs.resolve("site/site.xml"), target.resolve("site.xml"));
    for (Path file :
        List.of(
            Path.of("LICENSE"),
            Path.of("benchmarks", "netcluster"),
            Path.of("conf", "log4j2.properties.template"),
            Path.of("conf", "spark-defaults.conf.template"))) {
      copy(file, resources.resolve(file));
    }
    for (String pictures : List.of("pictures", "charts", "images", "scale")) {
      copyAll(docs.resolve(pictures), resources.resolve(pictures));
    }
    requireImages(pages, resources);
    Path spark = Path.of("spark-collectives", "spark", "target");
    copyAll(spark.resolve("reports/apidocs"), resources.resolve("javadoc"));
    copyAll(spark.resolve("site/scaladocs"), resources.resolve("scaladoc"));
    copyAll(Path.of("spark-collectives", "ml", "target", "reports", "apidocs"), resources.resolve("javadoc-ml"));
  }

  private static void page(Path source, Path target) throws IOException {
    StringBuilder page = new StringBuilder();
    boolean code = false;
    List<String> lines = Files.readAllLines(source, StandardCharsets.UTF_8);
    for (String line : lines) {
      code ^= line.startsWith("```");
      Matcher heading = HEADING.matcher(line);
      if (!code && heading.matches()) {
        page.append("<a id=\"").append(anchor(heading.group(1))).append("\"></a>\n\n");
      }
      // What lies beside the folder of documents lies in the site beside its pages.
      String placed = source.startsWith("docs") && source.getNameCount() == 2 ? line.replace("](../", "](") : line;
      page.append(code ? line : linked(placed)).append('\n');
    }
    Files.createDirectories(target.getParent());
    Files.writeString(target, page, StandardCharsets.UTF_8);
  }

  /** A line with links to pages of the site; all documents lie in one folder there. */
  private static String linked(String line) {
    return LINK.matcher(line)
        .replaceAll(
            link -> {
              String name = link.group(1).replaceFirst("^docs/", "").replaceFirst("^README$", "index");
              String place = link.group(2) == null ? "" : link.group(2);
              return Matcher.quoteReplacement("](" + name + ".html" + place + ")");
            });
  }

  /** What links call a heading: its words in small letters, with hyphens between. */
  private static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
  }

  /** Pages name images by where they lie beside them in the site. */
  private static void requireImages(Path pages, Path resources) throws IOException {
    try (Stream<Path> files = Files.walk(pages)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path folder = resources.resolve(pages.relativize(file).toString()).getParent();
        Matcher image = IMAGE.matcher(Files.readString(file, StandardCharsets.UTF_8));
        while (image.find()) {
          if (!Files.isRegularFile(folder.resolve(image.group(1)).normalize())) {
            throw new IOException(file + " shows " + image.group(1) + ", which the site does not have; copy its folder in .ci/SitePages.java");
          }
        }
      }
    }
  }

  private static void copyAll(Path source, Path target) throws IOException {
    if (!Files.isDirectory(source)) {
      throw new IOException("there is no " + source + "; mvn -DskipTests -DskipITs verify makes it");
    }
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        copy(file, target.resolve(source.relativize(file).toString()));
      }
    }
  }

  private static void copy(Path source, Path target) throws IOException {
    Files.createDirectories(target.getParent());
    Files.copy(source, target, StandardCopyOption.REPLACE_EXISTING);
  }
}
