package org.sparkcollectives.internal.crypto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPrivateKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The agreement of RFC 7748, section 6.1, and what no honest end tells. */
final class KeyExchangeTest {
  private static final HexFormat HEX = HexFormat.of();

  @ParameterizedTest
  @CsvSource({
    "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a,"
        + " de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f",
    "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb,"
        + " 8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"
  })
  void agreesOnWhatTheStandardSays(String own, String heard) throws GeneralSecurityException {
    XECPrivateKeySpec key = new XECPrivateKeySpec(NamedParameterSpec.X25519, HEX.parseHex(own));
    KeyExchange end = KeyExchange.of(KeyFactory.getInstance("X25519").generatePrivate(key));
    assertEquals(
        "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742",
        HEX.formatHex(end.agree(HEX.parseHex(heard))));
  }

  @Test
  void bothEndsAgree() throws GeneralSecurityException {
    for (int i = 0; i < 20; i++) {
      KeyExchange one = KeyExchange.begin();
      KeyExchange other = KeyExchange.begin();
      assertFalse(Arrays.equals(one.told(), other.told()));
      assertArrayEquals(one.agree(other.told()), other.agree(one.told()));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void takesNoPointOfSmallOrder(int u) {
    byte[] small = new byte[KeyExchange.KEY_BYTES];
    small[0] = (byte) u;
    assertThrows(GeneralSecurityException.class, () -> KeyExchange.begin().agree(small));
  }
}
