package org.sparkcollectives.spark.internal.ui;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.draw.Picture;
import org.sparkcollectives.internal.draw.View;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.spark.internal.events.CallEvent;

/** The schedule of a call as a picture, made anew when a page is asked for. */
final class SchedulePicture {
  private static final int MOST_RANKS = 64;
  private static final int MOST_BLOCKS = 8;

  private SchedulePicture() {}

  /** Draws the schedule of a call's algorithm, or says why there is no picture. */
  static void draw(Html html, CallEvent call) {
    Collective collective = collective(call.collective);
    int ranks = participants(call);
    if (ranks < 2) {
      html.paragraph("One rank alone sends nothing.");
      return;
    }
    if (collective == null) {
      html.paragraph(
          "There is no picture: this version of the library has no collective "
              + call.collective
              + ".");
      return;
    }
    if (ranks > MOST_RANKS) {
      html.paragraph(
          "Schedules of more than "
              + MOST_RANKS
              + " ranks are not drawn; 'collectives draw' draws them into a file.");
      return;
    }
    try {
      Algorithm algorithm = Algorithms.find(collective, call.algorithm);
      boolean pipelined = algorithm.naturalBlocks(ranks) <= 0;
      int blocks = pipelined ? Math.min(call.blocks, MOST_BLOCKS) : call.blocks;
      Problem problem =
          new Problem(collective, ranks, 0, Math.max(1, blocks), call.ordered, topology(call));
      List<Schedule> schedules = new ArrayList<>();
      for (int rank = 0; rank < ranks; rank++) {
        schedules.add(algorithm.schedule(problem, rank));
      }
      if (blocks < call.blocks) {
        html.paragraph("With " + blocks + " blocks in place of " + call.blocks + ".");
      }
      // An image, so that its style sheet does not reach the page's elements.
      byte[] svg = Picture.of(schedules, View.AUTO).svg().getBytes(StandardCharsets.UTF_8);
      html.raw("<p><img class=\"schedule\" style=\"max-width:100%\" alt=\"schedule\" src=\"");
      html.raw("data:image/svg+xml;base64," + Base64.getEncoder().encodeToString(svg));
      html.raw("\"/></p>\n");
    } catch (CollectiveException | IllegalArgumentException e) {
      html.paragraph("There is no picture: " + e.getMessage());
    }
  }

  private static @Nullable Collective collective(String name) {
    for (Collective each : Collective.values()) {
      if (each.name().equals(name)) {
        return each;
      }
    }
    return null; // of another version
  }

  /** The ranks that took part in the main operation: where executors combine, one for each. */
  private static int participants(CallEvent call) {
    return call.participants > 0 ? call.participants : call.ranks;
  }

  private static Topology topology(CallEvent call) {
    List<Integer> hosts = call.participantHosts;
    List<Integer> racks = call.participantRacks;
    return hosts.isEmpty()
        ? Topology.FLAT
        : Topology.of(
            hosts,
            call.participantProcesses,
            racks.isEmpty() ? Collections.nCopies(hosts.size(), 0) : racks);
  }
}
