package org.sparkcollectives.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Message;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;

/** Messages spoilt in every place where a kind of mistake can be made; none may pass. */
final class MessageMutantsTest {
  @ParameterizedTest
  @MethodSource(Subject.ALL)
  void aDroppedSendIsFound(Subject subject) {
    for (Subject.RankRound at : subject.places()) {
      if (at.round().send() != null) {
        Mutant mutant = subject.mutant().send(at.rank(), at.index(), null);
        subject.mustReject(mutant, "without a send: " + at, Check.MATCHING);
      }
    }
  }

  @ParameterizedTest
  @MethodSource(Subject.ALL)
  void aDroppedReceiveIsFound(Subject subject) {
    for (Subject.RankRound at : subject.places()) {
      if (at.round().receive() != null) {
        Mutant mutant = subject.mutant().receive(at.rank(), at.index(), null);
        subject.mustReject(mutant, "without a receive: " + at, Check.MATCHING);
      }
    }
  }

  /** But for signals: what is right when ranks wait for each other is right when they do not. */
  @ParameterizedTest
  @MethodSource(Subject.ALL)
  void aDroppedMessageIsFound(Subject subject) {
    for (Subject.RankRound at : subject.places()) {
      Send send = at.round().send();
      if (send != null && !send.isSignal()) {
        Mutant mutant = subject.mutant().send(at.rank(), at.index(), null);
        mutant.receive(send.peer(), at.index(), null);
        subject.mustReject(mutant, "without a message: " + at, Check.HOLDING, Check.RESULT);
      }
    }
  }

  @ParameterizedTest
  @MethodSource(Subject.ALL)
  void aShiftedBlockIsFound(Subject subject) {
    for (Subject.RankRound at : subject.places()) {
      Send send = at.round().send();
      if (send != null && send.size() == 1) {
        int block = (first(send).from() + 1) % subject.schedules().get(0).problem().blocks();
        Send shifted = with(send, send.peer(), BlockRange.of(block));
        Mutant mutant = subject.mutant().send(at.rank(), at.index(), shifted);
        subject.mustReject(mutant, "with another block: " + at, Check.MATCHING);
      }
    }
  }

  @ParameterizedTest
  @MethodSource(Subject.ALL)
  void aShortenedRangeIsFound(Subject subject) {
    for (Subject.RankRound at : subject.places()) {
      Send send = at.round().send();
      if (send != null && send.size() > 1) {
        Mutant mutant = subject.mutant().send(at.rank(), at.index(), shortened(send));
        subject.mustReject(mutant, "with fewer blocks: " + at, Check.MATCHING);
      }
    }
  }

  @ParameterizedTest
  @MethodSource(Subject.ALL)
  void anotherPeerIsFound(Subject subject) {
    for (Subject.RankRound at : subject.places()) {
      Send send = at.round().send();
      if (send != null) {
        int other =
            (send.peer() + 1) % subject.size() == at.rank() ? send.peer() + 2 : send.peer() + 1;
        Send wrong = with(send, other % subject.size(), first(send));
        Mutant mutant = subject.mutant().send(at.rank(), at.index(), wrong);
        subject.mustReject(mutant, "to another peer: " + at, Check.MATCHING);
      }
    }
  }

  @ParameterizedTest
  @MethodSource(Subject.ALL)
  void aSendOneRoundLaterIsFound(Subject subject) {
    for (Subject.RankRound at : subject.places()) {
      Send send = at.round().send();
      Mutant mutant = subject.mutant();
      if (send != null && mutant.at(at.rank(), at.index() + 1).send() == null) {
        mutant.send(at.rank(), at.index(), null).send(at.rank(), at.index() + 1, send);
        subject.mustReject(mutant, "with a late send: " + at, Check.MATCHING);
      }
    }
  }

  @ParameterizedTest
  @MethodSource(Subject.ALL)
  void aRankThatIsOneRoundLateIsFound(Subject subject) {
    for (int rank = 0; rank < subject.size(); rank++) {
      Mutant mutant = subject.mutant().delay(rank);
      subject.mustReject(mutant, "with rank " + rank + " late", Check.MATCHING);
    }
  }

  @ParameterizedTest
  @MethodSource(Subject.ALL)
  void anExtraSendIsFound(Subject subject) {
    for (Subject.RankRound at : subject.places()) {
      if (at.round().send() == null) {
        Send extra = new Send((at.rank() + 1) % subject.size(), 0, BlockRange.of(0));
        Mutant mutant = subject.mutant().send(at.rank(), at.index(), extra);
        subject.mustReject(mutant, "with one more send: " + at, Check.MATCHING);
      }
    }
  }

  @Test
  void aReceiveIntoABlockThatIsBeingSentIsFound() {
    Subject subject = Subject.allReduce("recursive-doubling", true);
    int tried = 0;
    for (Subject.RankRound at : subject.places()) {
      Receive receive = at.round().receive();
      if (at.round().send() != null && receive != null) {
        Receive over = new Receive(receive.peer(), 0, receive.ranges().get(0));
        Mutant mutant = subject.mutant().receive(at.rank(), at.index(), over);
        subject.mustReject(mutant, "received over what is sent: " + at, Check.HAZARD);
        tried++;
      }
    }
    assertTrue(tried > 0);
  }

  @ParameterizedTest
  @MethodSource(Subject.ALL)
  void aMessageBeforeItsContentIsThereIsFound(Subject subject) {
    int tried = 0;
    for (Subject.RankRound at : subject.places()) {
      Send send = at.round().send();
      if (send != null && !isHeldAtFirst(subject, at.rank(), send)) {
        subject.mustReject(early(subject, at, send), "sent before held: " + at, Check.HOLDING);
        tried++;
      } else if (send != null && isChangedBefore(subject, at, send)) {
        Mutant mutant = early(subject, at, send);
        subject.mustReject(mutant, "sent before changed: " + at, Check.HOLDING, Check.RESULT);
        tried++;
      }
    }
    assertEquals(isIndependent(subject), tried == 0);
  }

  /** Whether a rank has something at the beginning where a message is sent from. */
  private static boolean isHeldAtFirst(Subject subject, int rank, Send send) {
    Specification specification =
        new Specification(subject.schedules(), new SymbolicValues(subject.size(), false));
    return send.pieces().stream()
        .allMatch(
            piece ->
                piece.slot() == 0
                    && IntStream.range(piece.blocks().from(), piece.blocks().to())
                        .noneMatch(b -> specification.initial(rank, b) == SymbolicValues.NOTHING));
  }

  /** Whether a rank writes where a message is sent from in rounds before. */
  private static boolean isChangedBefore(Subject subject, Subject.RankRound at, Send send) {
    List<Piece> written = new ArrayList<>();
    for (Round round : subject.schedules().get(at.rank()).rounds().subList(0, at.index())) {
      if (round.receive() != null) {
        written.addAll(round.receive().pieces());
      }
      round.local().forEach(step -> written.add(new Piece(step.dst(), step.blocks())));
    }
    return send.pieces().stream()
        .anyMatch(piece -> written.stream().anyMatch(each -> overlap(each, piece)));
  }

  private static boolean overlap(Piece one, Piece other) {
    return one.slot() == other.slot()
        && one.blocks().from() < other.blocks().to()
        && other.blocks().from() < one.blocks().to();
  }

  /** Whether ranks have all they send from the beginning, but for signals, which they wait for. */
  private static boolean isIndependent(Subject subject) {
    Schedule first = subject.schedules().get(0);
    return Algorithms.find(first.problem().collective(), first.algorithm())
            .traits()
            .has(Traits.Feature.INDEPENDENT)
        || subject.places().stream()
            .map(at -> at.round().send())
            .anyMatch(send -> send != null && send.isSignal());
  }

  /** Moves a message to a new round before all others. */
  private static Mutant early(Subject subject, Subject.RankRound at, Send send) {
    Mutant mutant = subject.mutant().delayAll();
    Receive receive = mutant.at(send.peer(), at.index() + 1).receive();
    assertNotNull(receive);
    mutant.send(at.rank(), at.index() + 1, null).receive(send.peer(), at.index() + 1, null);
    return mutant.send(at.rank(), 0, send).receive(send.peer(), 0, receive);
  }

  private static BlockRange first(Message message) {
    return message.ranges().get(0);
  }

  /** A send whose first piece is another range. */
  private static Send with(Send send, int peer, BlockRange blocks) {
    List<Piece> pieces = new ArrayList<>(send.pieces());
    pieces.set(0, new Piece(pieces.get(0).slot(), blocks));
    return new Send(peer, pieces);
  }

  /** A send without the last block of its first piece. */
  private static Send shortened(Send send) {
    BlockRange first = first(send);
    return first.size() > 1
        ? with(send, send.peer(), new BlockRange(first.from(), first.to() - 1))
        : new Send(send.peer(), send.pieces().subList(1, send.pieces().size()));
  }
}
