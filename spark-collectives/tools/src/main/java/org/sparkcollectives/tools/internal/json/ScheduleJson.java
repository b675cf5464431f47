package org.sparkcollectives.tools.internal.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.Copy;
import org.sparkcollectives.schedule.LocalStep;
import org.sparkcollectives.schedule.Message;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;
import org.sparkcollectives.schedule.Topology;

/**
 * The JSON form of all ranks' schedules of a problem, of which {@code docs/schedules.md} shows an
 * example. A range of one block is written as {@code block}, another one as {@code from} and {@code
 * to}; a message of several pieces has them in a list {@code pieces}; {@code send}, {@code recv}
 * and {@code local} are left out where there are none, so an idle round is {@code {}}. Where ranks
 * share hosts, {@code hosts} and {@code processes} have a number for each rank, and where hosts are
 * in racks {@code racks}, too.
 */
public final class ScheduleJson {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private ScheduleJson() {}

  /**
   * Writes schedules.
   *
   * @param schedules all ranks' schedules of one problem, in rank order, at least one
   * @return one line of JSON
   */
  public static String write(List<Schedule> schedules) {
    StringWriter writer = new StringWriter();
    try {
      write(schedules, writer);
    } catch (IOException e) {
      throw new UncheckedIOException("a string cannot be written", e);
    }
    return writer.toString();
  }

  /**
   * Writes schedules without holding their text in memory.
   *
   * @param schedules all ranks' schedules of one problem, in rank order, at least one
   * @param target takes one line of JSON; it is flushed, not closed
   * @throws IOException if the target cannot take it
   */
  public static void write(List<Schedule> schedules, Writer target) throws IOException {
    Schedule first = schedules.get(0);
    Problem problem = first.problem();
    JsonGenerator json =
        new JsonFactory().createGenerator(target).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.writeStartObject();
    json.writeStringField("collective", problem.collective().slug());
    json.writeStringField("algorithm", first.algorithm());
    json.writeNumberField("size", problem.size());
    json.writeNumberField("root", problem.root());
    json.writeNumberField("blocks", problem.blocks());
    json.writeBooleanField("ordered", problem.ordered());
    if (!problem.topology().isFlat()) {
      writeTopology(problem, json);
    }
    if (!problem.parts().isEmpty()) {
      json.writeFieldName("parts");
      int[] parts = problem.parts().stream().mapToInt(Integer::intValue).toArray();
      json.writeArray(parts, 0, parts.length);
    }
    json.writeArrayFieldStart("ranks");
    for (Schedule schedule : schedules) {
      writeRank(schedule, json);
    }
    json.writeEndArray();
    json.writeEndObject();
    json.close();
  }

  private static void writeTopology(Problem problem, JsonGenerator json) throws IOException {
    Topology topology = problem.topology();
    write("hosts", topology::host, problem.size(), json);
    write("processes", topology::process, problem.size(), json);
    if (topology.hasRacks()) {
      write("racks", rank -> topology.rack(topology.host(rank)), problem.size(), json);
    }
  }

  private static void write(String name, IntUnaryOperator ofRank, int size, JsonGenerator json)
      throws IOException {
    json.writeFieldName(name);
    json.writeArray(IntStream.range(0, size).map(ofRank).toArray(), 0, size);
  }

  private static void writeRank(Schedule schedule, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeNumberField("rank", schedule.rank());
    json.writeArrayFieldStart("owned");
    json.writeNumber(schedule.owned().from());
    json.writeNumber(schedule.owned().to());
    json.writeEndArray();
    json.writeArrayFieldStart("rounds");
    for (Round round : schedule.rounds()) {
      writeRound(round, json);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void writeRound(Round round, JsonGenerator json) throws IOException {
    json.writeStartObject();
    if (round.send() != null) {
      json.writeObjectFieldStart("send");
      writeMessage(round.send(), json);
    }
    if (round.receive() != null) {
      json.writeObjectFieldStart("recv");
      writeMessage(round.receive(), json);
    }
    if (!round.local().isEmpty()) {
      json.writeArrayFieldStart("local");
      for (LocalStep step : round.local()) {
        writeStep(step, json);
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private static void writeMessage(Message message, JsonGenerator json) throws IOException {
    json.writeNumberField("peer", message.peer());
    if (message.pieces().size() == 1) {
      writePiece(message.pieces().get(0), json);
    } else {
      json.writeArrayFieldStart("pieces");
      for (Piece piece : message.pieces()) {
        json.writeStartObject();
        writePiece(piece, json);
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private static void writePiece(Piece piece, JsonGenerator json) throws IOException {
    json.writeNumberField("slot", piece.slot());
    writeBlocks(piece.blocks(), json);
  }

  private static void writeStep(LocalStep step, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("op", step instanceof Combine ? "combine" : "copy");
    json.writeNumberField("dst", step.dst());
    if (step instanceof Combine combine) {
      json.writeNumberField("left", combine.left());
      json.writeNumberField("right", combine.right());
    } else if (step instanceof Copy copy) {
      json.writeNumberField("src", copy.src());
    }
    writeBlocks(step.blocks(), json);
    json.writeEndObject();
  }

  private static void writeBlocks(BlockRange blocks, JsonGenerator json) throws IOException {
    if (blocks.size() == 1) {
      json.writeNumberField("block", blocks.from());
    } else {
      json.writeNumberField("from", blocks.from());
      json.writeNumberField("to", blocks.to());
    }
  }

  /**
   * Reads what {@link #write(List)} writes. Whether the schedules are right is the verifier's
   * matter.
   *
   * @param text JSON of this form
   * @return all ranks' schedules, in the order of the text
   * @throws IllegalArgumentException if the text is not of this form; the message says where
   */
  public static List<Schedule> read(String text) {
    JsonNode root;
    try {
      root = MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation(); // none where nothing but a limit is passed
      String where = at == null ? "the text" : "line " + at.getLineNr();
      throw new IllegalArgumentException(where + " is no JSON: " + e.getOriginalMessage(), e);
    }
    Fields fields = new Fields(root, "schedules");
    Collective collective = Collective.ofSlug(fields.text("collective"));
    String algorithm = fields.text("algorithm");
    Problem problem =
        new Problem(
            collective,
            fields.number("size"),
            fields.number("root"),
            fields.number("blocks"),
            fields.truth("ordered"),
            topology(fields),
            parts(fields, collective));
    List<Schedule> schedules = new ArrayList<>();
    for (Fields rank : fields.list("ranks")) {
      schedules.add(readRank(rank, problem, algorithm));
    }
    fields.allow(
        Set.of(
            "collective",
            "algorithm",
            "size",
            "root",
            "blocks",
            "ordered",
            "hosts",
            "processes",
            "racks",
            "parts",
            "ranks"));
    return schedules;
  }

  private static List<Integer> parts(Fields fields, Collective collective) {
    if (!fields.has("parts")) {
      return List.of();
    }
    if (!collective.divided()) {
      throw new IllegalArgumentException(
          fields.place() + " has parts, but " + collective.slug() + " divides no vector");
    }
    return fields.numbers("parts");
  }

  private static Topology topology(Fields fields) {
    if (!fields.has("hosts")) {
      for (String name : List.of("processes", "racks")) {
        if (fields.has(name)) {
          throw new IllegalArgumentException(fields.place() + " has " + name + ", but no hosts");
        }
      }
      return Topology.FLAT;
    }
    List<Integer> hosts = fields.numbers("hosts");
    List<Integer> processes = fields.numbers("processes");
    return fields.has("racks")
        ? Topology.of(hosts, processes, fields.numbers("racks"))
        : Topology.of(hosts, processes);
  }

  private static Schedule readRank(Fields fields, Problem problem, String algorithm) {
    int rank = fields.number("rank");
    JsonNode owned = fields.node("owned");
    if (!owned.isArray() || owned.size() != 2 || !owned.get(0).isInt() || !owned.get(1).isInt()) {
      throw fields.wrong("owned", "two numbers");
    }
    List<Round> rounds = new ArrayList<>();
    for (Fields round : fields.list("rounds")) {
      rounds.add(readRound(round));
    }
    fields.allow(Set.of("rank", "owned", "rounds"));
    BlockRange range = new BlockRange(owned.get(0).intValue(), owned.get(1).intValue());
    return new Schedule(problem, algorithm, rank, range, rounds);
  }

  private static Round readRound(Fields fields) {
    Send send = null;
    Receive receive = null;
    List<LocalStep> local = new ArrayList<>();
    Fields sent = fields.optional("send");
    if (sent != null) {
      send = new Send(sent.number("peer"), readPieces(sent));
    }
    Fields received = fields.optional("recv");
    if (received != null) {
      receive = new Receive(received.number("peer"), readPieces(received));
    }
    if (fields.has("local")) {
      for (Fields step : fields.list("local")) {
        local.add(readStep(step));
      }
    }
    fields.allow(Set.of("send", "recv", "local"));
    return send == null && receive == null && local.isEmpty()
        ? Round.IDLE
        : new Round(send, receive, local);
  }

  private static List<Piece> readPieces(Fields message) {
    if (!message.has("pieces")) {
      message.allow(Set.of("peer", "slot", "block", "from", "to"));
      return List.of(new Piece(message.number("slot"), readBlocks(message)));
    }
    message.allow(Set.of("peer", "pieces"));
    List<Piece> pieces = new ArrayList<>();
    for (Fields piece : message.list("pieces")) {
      piece.allow(Set.of("slot", "block", "from", "to"));
      pieces.add(new Piece(piece.number("slot"), readBlocks(piece)));
    }
    return pieces;
  }

  private static LocalStep readStep(Fields fields) {
    String op = fields.text("op");
    int dst = fields.number("dst");
    switch (op) {
      case "combine" -> {
        fields.allow(Set.of("op", "dst", "left", "right", "block", "from", "to"));
        return new Combine(dst, fields.number("left"), fields.number("right"), readBlocks(fields));
      }
      case "copy" -> {
        fields.allow(Set.of("op", "dst", "src", "block", "from", "to"));
        return new Copy(dst, fields.number("src"), readBlocks(fields));
      }
      default -> throw fields.wrong("op", "combine or copy");
    }
  }

  private static BlockRange readBlocks(Fields fields) {
    if (!fields.has("block")) {
      return new BlockRange(fields.number("from"), fields.number("to"));
    }
    if (fields.has("from") || fields.has("to")) {
      throw fields.wrong("block", "alone, without from and to");
    }
    return BlockRange.of(fields.number("block"));
  }

  /** An object's fields, with the place of the object in the text for messages. */
  private record Fields(JsonNode object, String place) {
    Fields {
      if (!object.isObject()) {
        throw new IllegalArgumentException(place + " is to be an object");
      }
    }

    boolean has(String name) {
      return object.has(name);
    }

    JsonNode node(String name) {
      JsonNode node = object.get(name);
      if (node == null) {
        throw new IllegalArgumentException(place + " has no " + name);
      }
      return node;
    }

    int number(String name) {
      if (!node(name).isInt()) {
        throw wrong(name, "a whole number");
      }
      return node(name).intValue();
    }

    boolean truth(String name) {
      if (!node(name).isBoolean()) {
        throw wrong(name, "true or false");
      }
      return node(name).booleanValue();
    }

    String text(String name) {
      if (!node(name).isTextual()) {
        throw wrong(name, "a text");
      }
      return node(name).textValue();
    }

    @Nullable Fields optional(String name) {
      return has(name) ? new Fields(node(name), place + "." + name) : null;
    }

    List<Fields> list(String name) {
      if (!node(name).isArray()) {
        throw wrong(name, "a list");
      }
      List<Fields> list = new ArrayList<>();
      for (JsonNode element : node(name)) {
        list.add(new Fields(element, place + "." + name + "[" + list.size() + "]"));
      }
      return list;
    }

    List<Integer> numbers(String name) {
      if (!node(name).isArray()) {
        throw wrong(name, "a list of whole numbers");
      }
      List<Integer> numbers = new ArrayList<>();
      for (JsonNode element : node(name)) {
        if (!element.isInt()) {
          throw wrong(name, "a list of whole numbers");
        }
        numbers.add(element.intValue());
      }
      return numbers;
    }

    void allow(Set<String> names) {
      for (Iterator<String> present = object.fieldNames(); present.hasNext(); ) {
        String name = present.next();
        if (!names.contains(name)) {
          throw new IllegalArgumentException(place + " has an unknown " + name);
        }
      }
    }

    IllegalArgumentException wrong(String name, String wanted) {
      return new IllegalArgumentException(place + "." + name + " is to be " + wanted);
    }
  }
}
