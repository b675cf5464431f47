/**
 * Where ranks meet: the place at the driver on Spark's own RPC, a rank's way to it and to the other
 * ranks, and what becomes of a failure. An attempt passes these classes, in this order:
 *
 * <ol>
 *   <li>{@link DriverEndpoint}, the place at the driver, opens the {@link Attempt}, of which all
 *       its ranks know, and says by {@link Admission} which of them are to take part.
 *   <li>{@link RankSession} is a rank's side, and {@link DriverLine} its line to the driver; {@link
 *       ExecutorEndpoint} is what the ranks of a process share. What both sides say is in {@link
 *       Wire}, and its bytes in {@link WireCodec}.
 *   <li>{@link Rendezvous} is the driver's side. It puts each {@link Arrival}, with the {@link
 *       Shape} of each vector that the rank brings, among the {@link Arrivals}; {@link Attendance}
 *       keeps it for people.
 *   <li>{@link Participants} are those that take part, once all have come; {@link Shapes} says
 *       whether what they bring goes together, {@link HostRacks} where they are.
 *   <li>{@link Replies} are what each rank is told: as a rule the {@link Members}, that is, how
 *       those that take part are reached, if need be by a {@link Handout}.
 *   <li>{@link RankRole} is what that makes of a rank.
 *   <li>{@link RollCall} asks the others when one is late, {@link Causes} weighs what they tell of
 *       a failure, and {@link Failure} is what comes of it.
 *   <li>{@link RankReport} is what a rank tells with the result of its task.
 * </ol>
 *
 * <p>That an executor is lost is heard here, by the {@link DriverEndpoint}: from Spark's RPC, which
 * fails the attempts that the executor's ranks have come to, and from Spark's listeners, which
 * counts. What Spark says of the job afterwards is read by {@code SparkFailure} in {@code job}.
 */
@NullMarked
package org.sparkcollectives.spark.internal.rendezvous;

import org.jspecify.annotations.NullMarked;
