package org.sparkcollectives.spark.internal.events;

import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.rendezvous.Attendance;

/**
 * A call that runs, as far as the driver knows it. The calling thread writes, any other reads.
 *
 * @see CallRecord#running
 */
public final class RunningCall {
  /** Its number in the application. */
  public final long call;

  /** What was called, and where. */
  public final String callSite;

  /** When it began, in milliseconds since 1970. */
  public final long startedAt;

  private volatile int attempts;
  private volatile List<Integer> jobs = List.of();
  private volatile @Nullable Attendance attendance;

  RunningCall(long call, String callSite, long startedAt) {
    this.call = call;
    this.callSite = callSite;
    this.startedAt = startedAt;
  }

  void attempt(int number, Attendance begun) {
    jobs = List.of();
    attendance = begun;
    attempts = number + 1;
  }

  void jobs(List<Integer> submitted) {
    jobs = List.copyOf(submitted);
  }

  /**
   * How often it has been begun.
   *
   * @return 0 while it waits for executors
   */
  public int attempts() {
    return attempts;
  }

  /**
   * The jobs of the attempt that runs.
   *
   * @return their numbers, the latest last
   */
  public List<Integer> jobs() {
    return jobs;
  }

  /**
   * The stage of the attempt that runs.
   *
   * @return its number, -1 until a rank has told of it
   */
  public int stage() {
    Attendance now = attendance;
    return now == null ? -1 : now.stage();
  }

  /**
   * How many ranks the attempt has.
   *
   * @return 0 while there is no attempt
   */
  public int ranks() {
    Attendance now = attendance;
    return now == null ? 0 : now.ranks().size();
  }

  /**
   * How far the attempt is.
   *
   * @return what its function has told, for people; empty where it has told nothing
   */
  public String progress() {
    Attendance now = attendance;
    return now == null ? "" : now.progress();
  }

  /**
   * The ranks that compute or whose tasks have not begun: all others wait for them.
   *
   * @return the ranks that have not come to the rendezvous, in order
   */
  public List<Integer> missing() {
    Attendance now = attendance;
    if (now == null) {
      return List.of();
    }
    List<Attendance.@Nullable Present> present = now.ranks();
    return IntStream.range(0, present.size()).filter(r -> present.get(r) == null).boxed().toList();
  }
}
