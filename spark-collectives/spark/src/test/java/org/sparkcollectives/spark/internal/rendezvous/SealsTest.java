package org.sparkcollectives.spark.internal.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.internal.transport.endpoint.Certificates;
import org.sparkcollectives.spark.internal.conf.Encryption;

/** What seals connections, of whatever encryption. */
final class SealsTest {
  private static final Path PAGE = Path.of("..", "..", "docs", "wire-format.md");
  private static final String FIELD = "| what seals all that follows PROOF: ";
  private static final Pattern CODE = Pattern.compile("(\\d+) \\[?(\\w+)");

  @Test
  void codesDifferAndThePageListsThem(@TempDir Path folder) throws Exception {
    Path store = folder.resolve("key.p12");
    Certificates.write(store, "executors");
    SparkConf conf = new SparkConf(false);
    for (String kind : new String[] {"key", "trust"}) {
      conf.set("spark.ssl." + kind + "Store", store.toString());
      conf.set("spark.ssl." + kind + "StorePassword", Certificates.PASSWORD);
      conf.set("spark.ssl." + kind + "StoreType", "PKCS12");
    }
    Map<Integer, String> codes = new TreeMap<>();
    for (Encryption encryption : Encryption.values()) {
      String name = encryption == Encryption.NONE ? "nothing" : encryption.name();
      String other = codes.put(Seals.of(encryption, conf).code(), name.toLowerCase(Locale.ROOT));
      assertNull(other, () -> encryption + " has the code of another seal: " + other);
    }
    assertEquals(codes, listed(), "the seals of a HELLO in " + PAGE);
  }

  /** The codes that the page lists, and what each stands for. */
  private static Map<Integer, String> listed() throws Exception {
    String text = Files.readString(PAGE);
    int begin = text.indexOf(FIELD) + FIELD.length();
    Matcher found = CODE.matcher(text.substring(begin, text.indexOf(" |", begin)));
    Map<Integer, String> listed = new TreeMap<>();
    while (found.find()) {
      listed.put(Integer.valueOf(found.group(1)), found.group(2).toLowerCase(Locale.ROOT));
    }
    return listed;
  }
}
