package org.sparkcollectives.spark.internal.rendezvous;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.spark.internal.conf.Encryption;

/** The secret of an application never travels where Spark authenticates. */
final class ApplicationSecretTest {
  private static final byte[] SALT = new byte[ApplicationSecret.BYTES];

  private static byte[] secret(String key, String application, byte[] salt) {
    return ApplicationSecret.of(true, () -> key, application, salt);
  }

  @Test
  void whoListensToTheDriverDoesNotHaveTheSecret() {
    byte[] secret = secret("spark's own", "app-1", SALT);
    byte[] heard = Wire.encode(new Wire.Joined(SALT, 0, 1, null, false, Encryption.NONE));
    List<Byte> all = boxed(heard);
    assertEquals(-1, Collections.indexOfSubList(all, boxed(secret)));
    assertFalse(Collections.indexOfSubList(all, boxed(SALT)) < 0, "the salt is what is heard");
  }

  private static List<Byte> boxed(byte[] bytes) {
    Byte[] boxed = new Byte[bytes.length];
    Arrays.setAll(boxed, i -> bytes[i]);
    return List.of(boxed);
  }

  @Test
  void everyInputChangesIt() {
    byte[] secret = secret("key", "app-1", SALT);
    byte[] other = SALT.clone();
    other[0] = 1;
    assertArrayEquals(secret, secret("key", "app-1", SALT));
    assertFalse(Arrays.equals(secret, secret("another", "app-1", SALT)));
    assertFalse(Arrays.equals(secret, secret("key", "app-2", SALT)));
    assertFalse(Arrays.equals(secret, secret("key", "app-1", other)));
  }

  /** The vector of docs/wire-format.md. */
  @Test
  void isWhatTheDocumentSays() {
    byte[] salt = HexFormat.of().parseHex("00".repeat(31) + "01");
    assertEquals(
        "4e01ed0ce58de22cdfee9076da6c5819e86dfa8130f4e1882ed688549358efe5",
        HexFormat.of().formatHex(secret("spark secret", "app-20260101000000-0000", salt)));
  }

  @Test
  void withoutAuthenticationWhatTravelsIsTheSecret() {
    byte[] salt = {1, 2, 3};
    assertArrayEquals(salt, ApplicationSecret.of(false, () -> "unused", "app-1", salt));
  }
}
