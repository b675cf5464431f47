package org.sparkcollectives.internal.draw;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;

/**
 * Schedules as a picture: a self-contained SVG document in UTF-8, for light and dark surroundings.
 * Equal schedules give equal documents.
 */
public final class Picture {
  /** Up to so many trees are shown where the view leaves it open. */
  public static final int FEW_TREES = 4;

  private static final int MOST_RANKS_IN_TREES = 256;
  private static final int MOST_TREES = 64;
  private static final int MOST_CELLS = 20_000;

  /** The most blocks that all ranks together send, each of which is followed on its way. */
  private static final long MOST_FOLLOWED = 2_000_000;

  private static final double MARGIN = 16;
  private static final double TITLE = 34;
  private static final double BETWEEN = 18;
  private static final double LEGEND = 18;
  private static final double WIDE = 1000;

  private final List<Schedule> schedules;
  private final Problem problem;
  private final List<Transfer> transfers;
  private final List<SpanningTree> trees;
  private final List<List<Panel>> rows = new ArrayList<>();
  private final List<String> legend = new ArrayList<>();

  private Picture(List<Schedule> schedules, View view) {
    this.schedules = schedules;
    this.problem = schedules.get(0).problem();
    this.transfers = Transfer.of(schedules);
    boolean small = problem.size() <= MOST_RANKS_IN_TREES;
    this.trees = small ? Trees.of(problem, transfers) : List.of();
    boolean few = !trees.isEmpty() && trees.size() <= FEW_TREES;
    if (view == View.TREES || (few && view != View.TIME)) {
      addTrees();
    }
    if (view == View.TIME || view == View.ALL || (view == View.AUTO && !few)) {
      addTime();
    }
  }

  /**
   * Draws schedules.
   *
   * @param schedules the schedules of all ranks of one problem, in rank order
   * @param view what to show
   * @return the picture
   * @throws org.sparkcollectives.error.InvalidInputException if there are no trees to show, or the
   *     picture would be too large
   */
  public static Picture of(List<Schedule> schedules, View view) {
    return new Picture(List.copyOf(schedules), view);
  }

  /**
   * Refuses what is far too large, so that no schedules are made for it.
   *
   * @param problem what the schedules solve
   * @param rounds how many rounds there are at most; no less than half of them
   * @param blocksSent the most blocks that a rank sends
   * @param view what to show
   * @throws org.sparkcollectives.error.InvalidInputException if half of the rounds would be too
   *     large, or there are more ranks than trees show, or too many blocks to follow
   */
  public static void requireFeasible(Problem problem, int rounds, long blocksSent, View view) {
    int size = problem.size();
    boolean many = size > MOST_RANKS_IN_TREES;
    if (many && view == View.TREES) {
      throw DrawErrors.tooManyRanks(size, MOST_RANKS_IN_TREES);
    }
    boolean timed = many || view == View.TIME || view == View.ALL;
    if (timed && (long) size * rounds > 2L * MOST_CELLS) {
      throw DrawErrors.timeTooLarge(size, rounds, MOST_CELLS);
    }
    if (size * blocksSent > MOST_FOLLOWED) {
      throw DrawErrors.tooManyBlocks(problem.blocks(), size, MOST_FOLLOWED);
    }
  }

  private void addTrees() {
    String what = problem.collective() + " by '" + schedules.get(0).algorithm() + "'";
    if (problem.size() > MOST_RANKS_IN_TREES || trees.size() > MOST_TREES) {
      throw DrawErrors.treesTooLarge(
          what, problem.size(), trees.size(), MOST_RANKS_IN_TREES, MOST_TREES);
    }
    if (trees.isEmpty()) {
      throw DrawErrors.noTrees(what);
    }
    boolean coloured = trees.stream().allMatch(SpanningTree::isColoured);
    boolean facing =
        trees.size() == 2 && trees.stream().allMatch(tree -> new TreeLayout(tree).isInRankOrder());
    double width = 0;
    for (int i = 0; i < trees.size(); i++) {
      SpanningTree tree = trees.get(i);
      int colour = i % StyleSheet.COLOURS;
      TreePanel panel = new TreePanel(tree, colour, facing && i == 1, coloured, caption(i));
      if (rows.isEmpty() || facing || width + panel.width() > WIDE) {
        rows.add(new ArrayList<>());
        width = 0;
      }
      width += panel.width() + BETWEEN;
      rows.get(rows.size() - 1).add(panel);
    }
    legend.add(
        "Trees: double ring: root; filled: has children; number: round of an edge's first message"
            + (coloured ? "; solid: even rounds, dashed: odd rounds." : "."));
  }

  private String caption(int number) {
    String name = trees.size() == 1 ? "one tree" : "tree " + number;
    Collective collective = problem.collective();
    boolean whole = problem.blocks() == 1 || (collective.rooted() && collective.divided());
    return whole ? name : name + ": " + Blocks.name(trees.get(number).blocks());
  }

  private void addTime() {
    int rounds = Transfer.rounds(schedules);
    if ((long) rounds * problem.size() > MOST_CELLS) {
      throw DrawErrors.timeTooLarge(problem.size(), rounds, MOST_CELLS);
    }
    boolean coloured = trees.size() <= StyleSheet.COLOURS;
    rows.add(List.of(new TimePanel(schedules, transfers, coloured ? trees : List.of())));
    boolean combines =
        schedules.stream()
            .flatMap(schedule -> schedule.rounds().stream())
            .flatMap(round -> round.local().stream())
            .anyMatch(Combine.class::isInstance);
    legend.add(
        "Rounds from left to right; a box: "
            + (problem.blocks() == 1 ? "a message received" : "the blocks received")
            + (combines ? ", shaded: combined" : "")
            + (coloured && trees.size() > 1 ? "; an arrow's colour: its tree." : "."));
  }

  /**
   * Writes the document.
   *
   * @param out takes it; it stays open
   * @throws IOException if it cannot be written
   */
  public void write(Writer out) throws IOException {
    String title = ScheduleText.header(schedules.get(0));
    double width = title.length() * 8.2;
    double height = MARGIN + TITLE;
    for (String line : legend) {
      width = Math.max(width, line.length() * 6.3);
    }
    for (List<Panel> row : rows) {
      width = Math.max(width, row.stream().mapToDouble(p -> p.width() + BETWEEN).sum() - BETWEEN);
      height += row.stream().mapToDouble(Panel::height).max().orElse(0) + BETWEEN;
    }
    height += legend.size() * LEGEND + MARGIN - 8;
    width += 2 * MARGIN;
    SvgDocument svg = new SvgDocument();
    svg.rect("bg", 0, 0, Math.ceil(width), Math.ceil(height), 8);
    svg.text("title", MARGIN, MARGIN + 12, title);
    double top = MARGIN + TITLE;
    for (List<Panel> row : rows) {
      double left = MARGIN;
      for (Panel panel : row) {
        panel.draw(svg, left, top);
        left += panel.width() + BETWEEN;
      }
      top += row.stream().mapToDouble(Panel::height).max().orElse(0) + BETWEEN;
    }
    for (String line : legend) {
      svg.text("muted", MARGIN, top + 8, line);
      top += LEGEND;
    }
    svg.write(out, width, height, title, String.join(" ", legend));
  }

  /**
   * The document as text.
   *
   * @return the SVG document
   */
  public String svg() {
    StringWriter out = new StringWriter();
    try {
      write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString();
  }
}
