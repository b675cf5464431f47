package org.sparkcollectives.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options by which nothing can be measured are refused before anything starts. */
final class WrongOptionsTest {
  @ParameterizedTest
  @CsvSource({
    "spark, --rounds=0, --rounds is 1 or more",
    "spark, --warm-up=-1, --warm-up is 0 or more",
    "spark, --first-rounds=-1, --first-rounds is 0 or more",
    "spark, '--elements=8,0', --elements is 1 or more",
    "spark, --memory-elements=-1, --memory-elements is 0 or more",
    "spark, '--placement=1,-1,1,1', --placement is 0 or more",
    "spark, '--placement=0,0,0,0', --placement gives no executor a vector",
    "spark, --partitions=16 --compare=broadcast, These options leave nothing to compare",
    "spark, --partitions=16 --elements=8388608, These options leave nothing to compare",
    "spark, '--placement=2,1,1,0 --compare=broadcast', These options leave nothing to compare",
    "spark, --executors=0, --executors is 1 or more",
    "spark, --executors-per-host=0, --executors-per-host is 1 or more",
    "spark, --executors-per-host=2 --partitions=8, '--executors-per-host is about hosts with network'",
    "spark, --network=namespaces, --network without --rate is auto or loopback",
    "first-call, --applications=0, --applications is 1 or more",
    "first-call, --elements=0, --elements is 1 or more",
    "first-call, --executors=0, --executors is 1 or more",
    "first-call, --executor-memory=0, --executor-memory is 1 or more",
    "loopback, --ranks=0, --ranks is 1 or more",
    "loopback, --rounds=0, --rounds is 1 or more",
    "loopback, --warm-up=-1, --warm-up is 0 or more",
    "loopback, --elements=0, --elements is 1 or more",
    "loopback, --alpha=-5, '--alpha is more than 0, not -5.0'",
    "loopback, --beta=0, --beta is more than 0",
    "memory, --ranks=0, --ranks is 1 or more",
    "memory, --elements=0, --elements is 1 or more",
    "loopback, --algorithms=rign, '--algorithms is of auto, recursive-doubling,'",
    "memory, --collective=gather, '--collective is of broadcast, reduce, allreduce, scan, not'",
    "memory, --collective=foo, '--collective is of broadcast, reduce, allreduce, scan, not'",
    "memory, --collective=scan --algorithms=ring, '--algorithms is of auto, '",
    "many-ranks, --timeout=0, --timeout is 1 or more",
    "many-ranks, --timeout=-1, --timeout is 1 or more",
    "many-ranks, --collective=foo, '--collective is of broadcast, '",
    "many-ranks, '--algorithms=two-tree,tow-tree', '--algorithms is of selected, '",
    "many-ranks, --collective=barrier --algorithms=ring, '--algorithms is of selected, diss'",
    "many-ranks, --sizes=x, '''x'' is no number of bytes'",
    "many-ranks, --sizes=16g, --sizes is up to 8g",
    "many-ranks, --rounds=0, --rounds is 1 or more",
    "cluster, --connection-rate=foo, '--connection-rate: ''foo'' is no rate'",
    "cluster, --connection-rate=5kbit, '--connection-rate: ''5kbit'' is no rate from 10kbit'",
    "cluster, --rate=200gbit, '--network is auto, namespaces, loopback or memory, and --rate is'",
    "cluster, --racks=2 --uplink=foo, '--uplink: ''foo'' is no rate'",
    "jmh, --iterations=0, --iterations is 1 or more",
    "jmh, --millis=0, --millis is 1 or more",
    "jmh, Nonesuch, 'No kernel''s name matches Nonesuch'",
    "jmh, Codec[, 'No kernel''s name matches Codec['",
    "scale, --collective=foo, '--collective is of broadcast, '",
    "scale, --sizes=x, '''x'' is no number of bytes'",
    "scale, --ranks-per-host=0, --ranks-per-host is 1 or more",
    "scale, --ranks=1, --ranks is 2 or more",
    "scale, --version, 'Unknown option: ''--version'''",
    "jmh, -V, 'Unknown option: ''-V'''",
    "charts, --html=page.html, 'Unknown option: ''--html=page.html'''",
    "charts, --results=D, 'Unknown option: ''--results=D'''",
    "soak, --operations=-1, --operations is 0 or more",
    "soak, --calls=-1, --calls is 0 or more",
    "soak, --ranks=0, --ranks is 1 or more",
    "soak, --network=namespaces, --network without --rate is auto or loopback",
    "soak, --rate=fast, '--network is auto, namespaces, loopback or memory, and --rate is such as'",
    "soak, --operations=0 --calls=0, --operations and --calls are both 0",
    "chaos, --faults=0, --faults is 1 or more",
    "chaos, --faults=-5, --faults is 1 or more",
    "chaos, --deadline=0, --deadline is 1 or more",
    "chaos, --slack=0, --slack is more than 0",
    "chaos, --slack=NaN, --slack is more than 0",
    "chaos-spark, --faults=0, --faults is 1 or more",
    "chaos-spark, --executors=1, --executors is 2 or more",
    "chaos-spark, --timeout=0, --timeout is 1 or more",
    "chaos-spark, --slack=-1, --slack is more than 0",
    "fuzz, --strangers=-1, --strangers is 0 or more",
    "fuzz, --peers=-1, --peers is 0 or more",
    "fuzz, --strangers=0 --peers=0, --strangers and --peers are both 0",
    "training, '--partitions=4,0', --partitions is 1 or more",
    "training, --kill=-1, --kill is 0 or more",
    "training, --problems=sparse:0, '''sparse:0'' has no features'",
    "training, --kill=1 --executors=1, '--kill loses one of several executors'",
    "training, --kill=1 --report=here/losses, --report takes a name without folders"
  })
  void areRefusedByName(String benchmark, String arguments, String message) {
    StringWriter err = new StringWriter();
    String[] line = (benchmark + " " + arguments).split(" ", -1);
    int code = Main.commandLine().setErr(new PrintWriter(err, true)).execute(line);
    assertEquals(2, code, err::toString);
    assertTrue(err.toString().startsWith(message), err::toString);
  }
}
