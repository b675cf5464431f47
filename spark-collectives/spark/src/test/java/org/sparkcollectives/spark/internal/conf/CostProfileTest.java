package org.sparkcollectives.spark.internal.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.error.InvalidInputException;

class CostProfileTest {

  @Test
  void whatIsWrittenIsReadAgain() {
    String json = CostProfile.write(CostModel.DEFAULT);
    assertEquals(CostModel.DEFAULT, CostProfile.read(json, "here"));
  }

  @Test
  void connectionsAreKeptWithTheModel() {
    String several = CostProfile.write(CostModel.DEFAULT, 4);
    assertEquals(CostModel.DEFAULT, CostProfile.read(several, "here"));
    assertEquals(4, CostProfile.connections(several, "here"));
    assertEquals(1, CostProfile.connections(CostProfile.write(CostModel.DEFAULT), "here"));
    for (String count : List.of("0", "65", "2.5", "\"4\"", "null")) {
      String bad =
          several.replaceFirst("connectionsPerPeer\" : 4", "connectionsPerPeer\" : " + count);
      InvalidInputException e =
          assertThrows(InvalidInputException.class, () -> CostProfile.connections(bad, "/a/file"));
      assertTrue(e.getMessage().contains("/a/file"), e.getMessage());
      assertTrue(e.getMessage().contains("not 1 to 64"), e.getMessage());
      InvalidInputException again =
          assertThrows(InvalidInputException.class, () -> CostProfile.read(bad, "/a/file"));
      assertEquals(e.getMessage(), again.getMessage());
    }
  }

  @Test
  void theRateOfUplinksIsKeptWhereItIsKnown() {
    CostModel known = CostModel.DEFAULT.withUplink(0.125);
    String json = CostProfile.write(known, 4);
    assertTrue(json.contains("\"uplinkNanosPerByte\" : 0.125"), json);
    assertEquals(known, CostProfile.read(json, "here"));
    String without = CostProfile.write(CostModel.DEFAULT);
    assertFalse(without.contains("uplink"), without);
    assertEquals(0, CostProfile.read(without, "here").uplinkNanosPerByte());
    for (String rate : List.of("-1", "null", "\"fast\"")) {
      String bad =
          json.replaceFirst("uplinkNanosPerByte\" : 0.125", "uplinkNanosPerByte\" : " + rate);
      InvalidInputException e =
          assertThrows(InvalidInputException.class, () -> CostProfile.read(bad, "/a/file"));
      assertTrue(e.getMessage().contains("/a/file"), e.getMessage());
    }
  }

  @Test
  void theTemplatesCanBeRead() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("../../conf"))) {
      List<Path> profiles = files.filter(f -> f.toString().endsWith(".json")).toList();
      assertFalse(profiles.isEmpty());
      for (Path profile : profiles) {
        CostModel model = CostProfile.read(Files.readString(profile), profile.toString());
        assertFalse(model.provenance().machine().isBlank(), profile::toString);
        assertFalse(model.provenance().date().isBlank(), profile::toString);
      }
    }
  }

  @Test
  void whatIsWrongIsNamed() {
    String good = CostProfile.write(CostModel.DEFAULT);
    for (List<String> bad :
        List.of(
            List.of("", "empty"),
            List.of("null", "empty"),
            List.of("{}", "process"),
            List.of(good + "{}", "Trailing"),
            List.of(good.replace("gammaNanosPerByte", "gamma"), "gamma"),
            List.of(good.replace("\"process\"", "\"executor\""), "'process'"),
            List.of(good.replace("contention", "crowding"), "'contention'"),
            List.of(good.replaceFirst("alphaNanos\" : [0-9.]+", "alphaNanos\" : -1"), "positive"),
            List.of(good.replaceFirst("gapNanos\" : [0-9.]+", "gapNanos\" : 1e9"), "gap"),
            List.of(good.replaceFirst("gapNanos\" : [0-9.]+", "gapNanos\" : null"), "null"))) {
      InvalidInputException e =
          assertThrows(
              InvalidInputException.class, () -> CostProfile.read(bad.get(0), "/some/file"));
      assertTrue(e.getMessage().contains("/some/file"), e.getMessage());
      assertTrue(e.getMessage().contains(bad.get(1)), e.getMessage());
    }
  }
}
