package org.sparkcollectives.internal.algorithm.pattern;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;

/**
 * The ranks of each host as a group, and a group of one leader per host: the root on its own host,
 * the lowest rank elsewhere. Groups are numbered as hosts are, members of a group in rank order.
 *
 * @param problem which ranks there are, and on which hosts
 * @param root the rank that leads the leaders
 * @param slack the {@linkplain TwoTreePipeline#SLACK slack} with which groups reduce in order
 */
public record HostGroups(Problem problem, int root, int slack) {

  /**
   * Groups that reduce without slack.
   *
   * @param problem which ranks there are, and on which hosts
   * @param root the rank that leads the leaders
   */
  public HostGroups(Problem problem, int root) {
    this(problem, root, 0);
  }

  /**
   * Why rank order cannot be kept.
   *
   * @param problem what is to be solved
   * @return the cause, or null if order is not asked or can be kept
   */
  public static @Nullable String refusal(Problem problem) {
    return problem.ordered() && !problem.topology().isConsecutive()
        ? "rank order needs consecutive ranks on every host"
        : null;
  }

  /**
   * The leader of a host.
   *
   * @param host the host
   * @return a rank
   */
  public int leader(int host) {
    Topology topology = problem.topology();
    return host == topology.host(root) ? root : topology.lowestRank(host);
  }

  /**
   * All hosts' leaders.
   *
   * @return the group, with a member for each host
   */
  public GroupPipeline leaders() {
    Topology topology = problem.topology();
    return new GroupPipeline(
        topology.hosts(problem.size()), topology.host(root), problem.blocks(), slack, this::leader);
  }

  /**
   * The ranks of a host.
   *
   * @param host the host
   * @return the group, with the leader as its root
   */
  public GroupPipeline within(int host) {
    int[] ranks = problem.topology().ranksOf(host);
    int leader = Arrays.binarySearch(ranks, leader(host));
    return new GroupPipeline(
        ranks.length, leader, problem.blocks(), slack, member -> ranks[member]);
  }

  /**
   * The number of a rank in its host's group.
   *
   * @param rank the rank
   * @return its number
   */
  public int member(int rank) {
    return Arrays.binarySearch(problem.topology().ranksOf(problem.topology().host(rank)), rank);
  }

  /**
   * The number of rounds of broadcasts in all hosts at once.
   *
   * @return that of the host with the most ranks
   */
  public int broadcastRounds() {
    int most = problem.topology().mostRanksPerHost();
    return new GroupPipeline(most, 0, problem.blocks(), slack, member -> member).broadcastRounds();
  }

  /**
   * The number of rounds of reductions in all hosts at once, in order if the problem asks for it.
   *
   * @return the largest of a host
   */
  public int reduceRounds() {
    Topology topology = problem.topology();
    if (!problem.ordered() || topology.isFlat()) {
      return broadcastRounds();
    }
    int most = within(topology.host(root)).reduceRounds(true);
    BitSet seen = new BitSet();
    for (int host = 0; host < topology.hosts(problem.size()); host++) {
      int size = topology.ranksOf(host).length;
      if (host != topology.host(root) && !seen.get(size)) {
        seen.set(size);
        most = Math.max(most, within(host).reduceRounds(true));
      }
    }
    return most;
  }

  /**
   * The phases of a reduction within hosts, then between their leaders.
   *
   * @return two phases, of which either may be without rounds
   */
  public List<Phase> reducePhases() {
    int between = leaders().reduceRounds(problem.ordered());
    return List.of(new Phase(reduceRounds(), 1, 1, true, true), new Phase(between, 1, 1));
  }

  /**
   * The phases of a broadcast between leaders, then within their hosts.
   *
   * @return two phases, of which either may be without rounds
   */
  public List<Phase> broadcastPhases() {
    int between = leaders().broadcastRounds();
    return List.of(new Phase(between, 1), new Phase(broadcastRounds(), 1, 0, true, true));
  }

  /**
   * Enters one rank's part of a reduction to the root: {@link #reducePhases}.
   *
   * @param builder takes the rounds
   * @param rank the rank
   */
  public void reduce(ScheduleBuilder builder, int rank) {
    int host = problem.topology().host(rank);
    within(host).reduce(builder, 0, member(rank), problem.ordered());
    if (rank == leader(host)) {
      leaders().reduce(builder, reduceRounds(), host, problem.ordered());
    }
  }

  /**
   * Enters one rank's part of a broadcast from the root: {@link #broadcastPhases}.
   *
   * @param builder takes the rounds
   * @param start the first round
   * @param rank the rank
   */
  public void broadcast(ScheduleBuilder builder, int start, int rank) {
    int host = problem.topology().host(rank);
    if (rank == leader(host)) {
      leaders().broadcast(builder, start, host);
    }
    within(host).broadcast(builder, start + leaders().broadcastRounds(), member(rank));
  }

  /**
   * How many blocks a rank sends in a broadcast from the root.
   *
   * @param rank the rank
   * @return a number of blocks
   */
  public long broadcastSends(int rank) {
    int host = problem.topology().host(rank);
    long between = rank == leader(host) ? leaders().broadcastSends(host) : 0;
    return between + within(host).broadcastSends(member(rank));
  }
}
