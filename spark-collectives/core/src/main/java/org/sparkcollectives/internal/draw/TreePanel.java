package org.sparkcollectives.internal.draw;

import java.util.SortedSet;
import java.util.stream.IntStream;

/**
 * One tree: ranks as nodes, edges with arrows and the rounds of their first messages. Ranks that
 * have children are filled.
 */
final class TreePanel implements Panel {
  private static final double STEP_X = 46;
  private static final double STEP_X_TWO_WAY = 60;
  private static final double STEP_Y = 64;
  private static final double RADIUS = 13;
  private static final double CAPTION = 26;
  private static final double HEAD = 7;
  private static final double APART = 4;
  private static final double CAPTION_LETTER = 6.6;

  private final SpanningTree tree;
  private final TreeLayout layout;
  private final int colour;
  private final boolean flipped;
  private final boolean coloured;
  private final String caption;
  private final double stepX;

  /**
   * A tree.
   *
   * @param tree the tree
   * @param colour the number of its colour
   * @param flipped whether the root is at the bottom
   * @param coloured whether edges of even and of odd rounds have their colours
   * @param caption what the tree is called
   */
  TreePanel(SpanningTree tree, int colour, boolean flipped, boolean coloured, String caption) {
    this.tree = tree;
    this.layout = new TreeLayout(tree);
    this.colour = colour;
    this.flipped = flipped;
    this.coloured = coloured;
    this.caption = caption;
    boolean twoWay =
        IntStream.range(0, tree.size())
            .anyMatch(rank -> !tree.up().get(rank).isEmpty() && !tree.down().get(rank).isEmpty());
    this.stepX = twoWay ? STEP_X_TWO_WAY : STEP_X;
  }

  @Override
  public double width() {
    return Math.max(layout.width() * stepX + 2 * RADIUS + 6, caption.length() * CAPTION_LETTER);
  }

  @Override
  public double height() {
    return layout.height() * STEP_Y + 2 * RADIUS + CAPTION + 8;
  }

  @Override
  public void draw(SvgDocument svg, double left, double top) {
    double ground = top + (flipped ? 0 : CAPTION) + RADIUS + 3;
    svg.text("muted", left, flipped ? top + height() - 4 : top + 12, caption);
    double[] x = new double[tree.size()];
    double[] y = new double[tree.size()];
    for (int rank = 0; rank < tree.size(); rank++) {
      x[rank] = left + RADIUS + 3 + layout.x(rank) * stepX;
      double level = flipped ? layout.height() - layout.y(rank) : layout.y(rank);
      y[rank] = ground + level * STEP_Y;
    }
    for (int child = 0; child < tree.size(); child++) {
      int parent = tree.parents().get(child);
      if (parent >= 0) {
        SortedSet<Integer> up = tree.up().get(child);
        SortedSet<Integer> down = tree.down().get(child);
        double shift = up.isEmpty() || down.isEmpty() ? 0 : APART;
        edge(svg, up, x[child], y[child], x[parent], y[parent], shift);
        edge(svg, down, x[parent], y[parent], x[child], y[child], shift);
      }
    }
    for (int rank = 0; rank < tree.size(); rank++) {
      boolean inner = tree.children(rank).length > 0;
      svg.circle(inner ? "node n" + colour : "node", x[rank], y[rank], RADIUS);
      if (rank == tree.root()) {
        svg.circle("ring", x[rank], y[rank], RADIUS + 3);
      }
      svg.text(rank == tree.root() ? "mid bold" : "mid", x[rank], y[rank] + 4.3, "" + rank);
    }
  }

  /** An edge of one direction, to the right of the line between the nodes by a shift. */
  private void edge(
      SvgDocument svg,
      SortedSet<Integer> rounds,
      double x0,
      double y0,
      double x1,
      double y1,
      double shift) {
    if (rounds.isEmpty()) {
      return;
    }
    double norm = Math.hypot(x1 - x0, y1 - y0);
    double dx = (x1 - x0) / norm;
    double dy = (y1 - y0) / norm;
    double gap = RADIUS + 3.5;
    double fromX = x0 + dx * gap - dy * shift;
    double fromY = y0 + dy * gap + dx * shift;
    double toX = x1 - dx * gap - dy * shift;
    double toY = y1 - dy * gap + dx * shift;
    String line = coloured ? "c" + rounds.first() % 2 : "e";
    String tip = coloured ? "d" + rounds.first() % 2 : "h";
    StringBuilder path = new StringBuilder();
    SvgDocument.line(path, fromX, fromY, toX - dx * HEAD * 0.8, toY - dy * HEAD * 0.8);
    svg.path(line, path);
    StringBuilder head = new StringBuilder();
    SvgDocument.head(head, fromX, fromY, toX, toY, HEAD);
    svg.path(tip, head);
    double at = shift == 0 ? 0.47 : 0.36;
    double aside = shift == 0 ? 0 : 3;
    svg.text(
        "halo",
        fromX + (toX - fromX) * at - dy * aside,
        fromY + (toY - fromY) * at + dx * aside + 4,
        String.valueOf(rounds.first()));
  }
}
