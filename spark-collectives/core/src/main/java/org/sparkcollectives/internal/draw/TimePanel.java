package org.sparkcollectives.internal.draw;

import java.util.List;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Topology;

/**
 * Ranks over rounds. A message is an arrow from its sender's line to the box of its receiver, which
 * names the blocks; the box is shaded where the receiver combines. Hosts are bands.
 */
final class TimePanel implements Panel {
  private static final double ROW = 30;
  private static final double HEADER = 24;
  private static final double BOX_HEIGHT = 18;
  private static final double HEAD = 6;

  private final List<Schedule> schedules;
  private final Problem problem;
  private final List<Transfer> transfers;
  private final int[] colours;
  private final int rounds;
  private final double margin;
  private final double box;
  private final double gap;

  /**
   * A diagram.
   *
   * @param schedules all ranks' schedules
   * @param transfers their messages
   * @param trees the trees that have a colour each, none if messages have no colours
   */
  TimePanel(List<Schedule> schedules, List<Transfer> transfers, List<SpanningTree> trees) {
    this.schedules = schedules;
    this.problem = schedules.get(0).problem();
    this.transfers = transfers;
    this.colours = transfers.stream().mapToInt(transfer -> Trees.number(trees, transfer)).toArray();
    this.rounds = Transfer.rounds(schedules);
    this.margin = problem.topology().mostRanksPerHost() == 1 ? 40 : 84;
    int longest =
        transfers.stream()
            .mapToInt(transfer -> Blocks.label(problem, transfer.ranges()).length())
            .max()
            .orElse(0);
    this.box = 8 + longest * StyleSheet.DIGIT;
    int furthest = transfers.stream().mapToInt(t -> Math.abs(t.from() - t.to())).max().orElse(0);
    this.gap = Math.min(64, 22 + 4.5 * furthest);
  }

  @Override
  public double width() {
    return margin + rounds * (gap + box) + 14;
  }

  @Override
  public double height() {
    return HEADER + problem.size() * ROW + 2;
  }

  private double line(double top, int rank) {
    return top + HEADER + rank * ROW + ROW / 2;
  }

  /** Where the box of a round begins; its arrows begin where the box before ends. */
  private double boxLeft(double left, int round) {
    return left + margin + round * (gap + box) + gap;
  }

  @Override
  public void draw(SvgDocument svg, double left, double top) {
    drawHosts(svg, left, top);
    svg.text(
        "muted",
        left,
        top + 14,
        problem.topology().mostRanksPerHost() == 1 ? "rank" : "host  rank");
    for (int round = 0; round < rounds; round++) {
      svg.text(
          "muted mid",
          boxLeft(left, round) - gap / 2,
          top + 14,
          (round == 0 ? "round " : "") + round);
    }
    StringBuilder rails = new StringBuilder();
    for (int rank = 0; rank < problem.size(); rank++) {
      double y = line(top, rank);
      SvgDocument.line(rails, left + margin, y, left + width(), y);
      boolean root = problem.collective().rooted() && rank == problem.root();
      if (root) {
        svg.circle("ring", left + margin - 15, y, 11);
      }
      svg.text(root ? "mid bold" : "mid", left + margin - 15, y + 4.3, String.valueOf(rank));
    }
    svg.path("rail", rails);
    drawArrows(svg, left, top);
    drawBoxes(svg, left, top);
  }

  /** A band for every other run of ranks on one host. */
  private void drawHosts(SvgDocument svg, double left, double top) {
    Topology topology = problem.topology();
    int runs = 0;
    for (int rank = 0, next; !topology.isFlat() && rank < problem.size(); rank = next) {
      next = rank + 1;
      while (next < problem.size() && topology.host(next) == topology.host(rank)) {
        next++;
      }
      if (runs++ % 2 == 0) {
        svg.rect("band", left, line(top, rank) - ROW / 2, width(), (next - rank) * ROW, 4);
      }
      double middle = (line(top, rank) + line(top, next - 1)) / 2;
      svg.text("muted", left + 8, middle + 4.3, String.valueOf(topology.host(rank)));
    }
  }

  private void drawArrows(SvgDocument svg, double left, double top) {
    for (int colour = -1; colour < StyleSheet.COLOURS; colour++) {
      StringBuilder lines = new StringBuilder();
      StringBuilder heads = new StringBuilder();
      for (int i = 0; i < colours.length; i++) {
        if (colours[i] == colour) {
          Transfer transfer = transfers.get(i);
          double x1 = boxLeft(left, transfer.round());
          double x0 = x1 - gap + 3;
          double y0 = line(top, transfer.from());
          double y1 = line(top, transfer.to());
          double norm = Math.hypot(x1 - x0, y1 - y0);
          double back = HEAD * 0.8 / norm;
          SvgDocument.line(lines, x0, y0, x1 - (x1 - x0) * back, y1 - (y1 - y0) * back);
          SvgDocument.head(heads, x0, y0, x1, y1, HEAD);
        }
      }
      String name = colour < 0 ? "" : String.valueOf(colour);
      svg.path("e" + name, lines);
      svg.path("h" + name, heads);
    }
  }

  private void drawBoxes(SvgDocument svg, double left, double top) {
    for (Schedule schedule : schedules) {
      double y = line(top, schedule.rank());
      for (int i = 0; i < schedule.rounds().size(); i++) {
        Round round = schedule.rounds().get(i);
        boolean combines = round.local().stream().anyMatch(Combine.class::isInstance);
        if (round.receive() == null && !combines) {
          continue;
        }
        String style = combines ? "sum" : "box";
        double x = boxLeft(left, i);
        String label =
            round.receive() == null ? "" : Blocks.label(problem, round.receive().ranges());
        svg.rect(style, x, y - BOX_HEIGHT / 2, box, BOX_HEIGHT, 4);
        if (!label.isEmpty()) {
          svg.text("label", x + box / 2, y + 4, label);
        }
      }
    }
  }
}
