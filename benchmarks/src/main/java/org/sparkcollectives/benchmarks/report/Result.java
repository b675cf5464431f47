package org.sparkcollectives.benchmarks.report;

import java.io.IOException;
import java.nio.file.Path;

/** All that one run of a benchmark found, in the forms in which people and programs take it. */
public interface Result {

  /**
   * Where and how the benchmark ran.
   *
   * @return the place, the time and the command line
   */
  Environment environment();

  /**
   * What the result is called on a page.
   *
   * @return one line
   */
  String title();

  /**
   * The tables, which are readable on a console too.
   *
   * @return Markdown
   */
  String markdown();

  /**
   * Writes JSON with everything, CSV and Markdown, named after the benchmark.
   *
   * @param folder the run's folder, which is there
   * @throws IOException if a file cannot be written
   */
  void write(Path folder) throws IOException;

  /**
   * Adds tables and charts to a page.
   *
   * @param page the page
   * @throws IOException if a chart cannot be drawn
   */
  void addTo(HtmlPage page) throws IOException;
}
