package org.sparkcollectives.tools.internal.cli;

import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.error.ErrorText;
import org.sparkcollectives.internal.text.Counted;

/** The messages about options of the command line, in the form of {@link ErrorText}. */
final class OptionErrors {
  private OptionErrors() {}

  /**
   * A collective's name that does not exist.
   *
   * @param slug the unknown name
   * @param known the names that exist
   * @return the exception
   */
  static InvalidInputException unknownCollective(String slug, Collection<String> known) {
    return InvalidInputException.of(
        "unknown collective '" + slug + "'",
        "the collectives are " + String.join(", ", known),
        "name one of them");
  }

  /**
   * A schedule in rank order, asked for from an algorithm that has none.
   *
   * @param collective the collective asked for
   * @param slug the algorithm's name
   * @param otherwise how to say that any order will do, such as "give --unordered"
   * @param ordered the algorithms that keep rank order
   * @return the exception
   */
  static InvalidInputException noOrderedSchedule(
      String collective, String slug, String otherwise, Collection<String> ordered) {
    return InvalidInputException.of(
        collective + " by '" + slug + "' has no schedule that keeps rank order",
        "'" + slug + "' combines operands as they come around",
        otherwise + " if any order will do, or use " + quoted(ordered));
  }

  /**
   * A problem that an algorithm cannot solve.
   *
   * @param collective the collective asked for
   * @param slug the algorithm's name
   * @param refusal why it cannot
   * @return the exception
   */
  static InvalidInputException refused(String collective, String slug, String refusal) {
    return InvalidInputException.of(
        collective + " by '" + slug + "' has no schedule for this problem",
        refusal,
        "change that, or name another algorithm");
  }

  /**
   * A root given to a collective that has none.
   *
   * @param collective the collective asked for
   * @param root the root given
   * @return the exception
   */
  static InvalidInputException noRoot(String collective, int root) {
    return InvalidInputException.of(
        "root " + root + " is given for " + collective,
        "all ranks play the same part in it",
        "leave the root out");
  }

  /**
   * More hosts than ranks to put on them, or more racks than hosts.
   *
   * @param option how the number was given
   * @param places the number of hosts or racks given
   * @param what what they share, {@code ranks} or {@code hosts}
   * @param size the number of those
   * @return the exception
   */
  static InvalidInputException morePlacesThan(String option, int places, String what, int size) {
    return InvalidInputException.of(
        option + " is " + places,
        String.format(
            Locale.ROOT, "%d %s share at most %d %s", size, what, size, option.substring(2)),
        "give a whole number from 1 to " + size + ", or leave it out");
  }

  /**
   * More processes on a host than it has ranks.
   *
   * @param processes the number of processes given
   * @param ranks how many ranks the host has that has the fewest
   * @return the exception
   */
  static InvalidInputException moreProcessesThan(int processes, int ranks) {
    return InvalidInputException.of(
        "--processes is " + processes,
        "a host of " + Counted.of(ranks, "rank") + " has at most as many processes",
        "give a whole number from 1 to " + ranks + ", fewer --hosts, or leave it out");
  }

  /**
   * Ranks or hosts to be dealt out in turn, with nothing to deal them out to.
   *
   * @param option what was given
   * @param missing the option that was not
   * @param what what cannot take turns
   * @return the exception
   */
  static InvalidInputException interleavedWithout(String option, String missing, String what) {
    return InvalidInputException.of(
        option + " is given without " + missing,
        what + " cannot take turns",
        "give " + missing + ", or leave " + option + " out");
  }

  /**
   * Numbers of ranks on hosts that are not all ranks, or of hosts in racks that are not all hosts.
   *
   * @param option how they were given
   * @param places the numbers given
   * @param sum their sum
   * @param what what was counted, {@code ranks} or {@code hosts}
   * @param size the number of those
   * @return the exception
   */
  static InvalidInputException otherSum(
      String option, Collection<Integer> places, long sum, String what, int size) {
    return InvalidInputException.of(
        String.format(
            Locale.ROOT,
            "%s is %s, which is %d %s",
            option,
            places.stream().map(String::valueOf).collect(Collectors.joining(",")),
            sum,
            what),
        "there are " + size,
        "give numbers whose sum is " + size + ", or how many share all of them alone");
  }

  /**
   * A list of nothing.
   *
   * @param option the option that it was given to
   * @return the exception
   */
  static InvalidInputException emptyList(String option) {
    return InvalidInputException.of(
        option + " is given without a value",
        "there is none beside its commas",
        "give one, or several with commas between them");
  }

  /**
   * An uplink of racks that there are none of.
   *
   * @return the exception
   */
  static InvalidInputException uplinkWithoutRacks() {
    return InvalidInputException.of(
        "--uplink is given without --racks",
        "all hosts are in one rack, which sends nothing to others",
        "give --racks, or leave --uplink out");
  }

  /**
   * An uplink that no price depends on.
   *
   * @return the exception
   */
  static InvalidInputException uplinkOfNoUse() {
    return InvalidInputException.of(
        "--uplink is given where no ranks share one",
        "prices know racks of several hosts, and more than one of them",
        "give more than one rack, and fewer than there are hosts, or leave --uplink out");
  }

  /**
   * An uplink that carries nothing.
   *
   * @param uplink the multiple of a card's rate that was given
   * @return the exception
   */
  static InvalidInputException uplinkOfNothing(double uplink) {
    return InvalidInputException.of(
        "--uplink is " + uplink,
        "it says how many times as much as a host's card a rack's uplink carries",
        "give a number above 0, such as 2.5");
  }

  /**
   * A number of blocks that a collective cannot have.
   *
   * @param collective the collective asked for
   * @param blocks the number given
   * @param size the number of ranks
   * @param right the number that it has
   * @return the exception
   */
  static InvalidInputException otherBlocks(String collective, int blocks, int size, long right) {
    return InvalidInputException.of(
        "--blocks is " + blocks,
        collective + " among " + size + " ranks has a block for each pair of them",
        "give " + right + ", or leave it out");
  }

  /**
   * Lengths of parts given for a collective whose prices do not know them.
   *
   * @param collective the collective asked for
   * @return the exception
   */
  static InvalidInputException countsOfNoParts(String collective) {
    return InvalidInputException.of(
        "--counts is given for " + collective,
        "prices know parts of different lengths of allgather and reduce_scatter alone",
        "leave --counts out");
  }

  /**
   * Lengths of parts that are not one for each rank.
   *
   * @param counts the lengths given
   * @param size the number of ranks
   * @return the exception
   */
  static InvalidInputException otherCounts(Collection<Integer> counts, int size) {
    return InvalidInputException.of(
        "--counts is " + counts.stream().map(String::valueOf).collect(Collectors.joining(",")),
        "there are " + size + " ranks, each with a part",
        "give " + size + " numbers of which one is above 0");
  }

  /**
   * Schedules that would take too much memory and time.
   *
   * @param verb what they are asked for, such as {@code simulate}
   * @param size the number of ranks
   * @param rounds the number of rounds
   * @param most how many rounds all ranks together may have
   * @param less what makes fewer rounds, such as {@code a smaller --size}
   * @return the exception
   */
  static InvalidInputException tooManyRounds(
      String verb, int size, int rounds, long most, String less) {
    return InvalidInputException.of(
        size + " ranks over " + rounds + " rounds are too large to " + verb,
        "ranks times rounds may be " + most + " at most",
        "give " + less + ", or name an algorithm of fewer rounds");
  }

  /**
   * Schedules of an alltoall whose messages would list too many blocks.
   *
   * @param size the number of ranks
   * @param most how many blocks all ranks together may send
   * @return the exception
   */
  static InvalidInputException tooManyPairs(int size, long most) {
    return InvalidInputException.of(
        size + " ranks are too many for schedules of an alltoall",
        "it has a block for each pair of them, and all ranks together may send " + most,
        "give a smaller --size");
  }

  /**
   * A number that would take too much memory and time.
   *
   * @param option the option that it was given to
   * @param value the number
   * @param most the largest number allowed
   * @return the exception
   */
  static InvalidInputException tooLargeFor(String option, int value, int most) {
    return InvalidInputException.of(
        option + " is " + value,
        "schedules are made for " + most + " at most",
        "give a whole number from 1 to " + most);
  }

  /**
   * More ranks than hosts are counted for.
   *
   * @param size the number of ranks
   * @param most how many can be on given hosts
   * @return the exception
   */
  static InvalidInputException tooManyToPlace(int size, int most) {
    return InvalidInputException.of(
        size + " ranks are too many for --hosts and --racks",
        "where each is takes memory, and is known of at most " + most,
        "give a smaller --size, or leave --hosts and --racks out");
  }

  /**
   * A number of connections that two ranks cannot have to each other.
   *
   * @param connections the number given
   * @param most how many they can have
   * @return the exception
   */
  static InvalidInputException otherConnections(int connections, int most) {
    return InvalidInputException.of(
        "--connections is " + connections,
        "two ranks have 1 to " + most + " to each other",
        "give such a number, or leave it out to use as many as help");
  }

  /**
   * A file that cannot be read.
   *
   * @param file its name
   * @param original why not
   * @return the exception
   */
  static InvalidInputException notRead(String file, Throwable original) {
    return InvalidInputException.of(
        "the file '" + file + "' cannot be read",
        ErrorText.reason(original),
        "name a file that exists and may be read",
        original);
  }

  /**
   * A file without the secret of a group.
   *
   * @param file its name
   * @return the exception
   */
  static InvalidInputException noSecret(String file) {
    return InvalidInputException.of(
        "the file '" + file + "' holds no secret",
        "one is 32 hexadecimal digits or more, in pairs, and nothing else",
        "make one, for example with 'openssl rand -hex 32', the same for all processes");
  }

  /**
   * A file that schedules cannot be read from.
   *
   * @param file its name
   * @param original where its form is broken
   * @return the exception
   */
  static InvalidInputException noSchedules(String file, IllegalArgumentException original) {
    return InvalidInputException.of(
        "the file '" + file + "' holds no schedules",
        String.valueOf(original.getMessage()),
        "give JSON as 'collectives schedule --json' prints it",
        original);
  }

  /**
   * Schedules in a file of more blocks than are verified.
   *
   * @param file its name
   * @param size the number of ranks
   * @param blocks the blocks of each
   * @param most how many all ranks may have together
   * @return the exception
   */
  static InvalidInputException tooManyBlocks(String file, int size, int blocks, int most) {
    return InvalidInputException.of(
        "the schedules in '" + file + "' are too large to be verified",
        size + " ranks of " + blocks + " blocks have more than " + most + " blocks together",
        "give schedules of fewer blocks");
  }

  /**
   * An option of algorithms beside one of schedules that somebody has made.
   *
   * @param option what was given
   * @param beside the option that it was given with
   * @return the exception
   */
  static InvalidInputException ofAlgorithms(String option, String beside) {
    return InvalidInputException.of(
        option + " is given with " + beside,
        "it says which algorithms are to be verified, and these are schedules",
        "leave one of them out");
  }

  /**
   * A file that cannot be written.
   *
   * @param file its name
   * @param original why not
   * @return the exception
   */
  static InvalidInputException notWritten(String file, Throwable original) {
    return InvalidInputException.of(
        "the file '" + file + "' cannot be written",
        original instanceof NoSuchFileException missing
            ? "there is no folder for " + missing.getFile()
            : ErrorText.reason(original),
        "name a file in a folder that exists and may be written to",
        original);
  }

  private static String quoted(Collection<String> names) {
    return names.stream().map(name -> "'" + name + "'").collect(Collectors.joining(" or "));
  }
}
