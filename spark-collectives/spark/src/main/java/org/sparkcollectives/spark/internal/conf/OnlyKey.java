package org.sparkcollectives.spark.internal.conf;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The key of a store that has one, which is shown whatever authorities the other side names. It
 * names the owners of what it trusts, so for a certificate that it trusts itself that one's owner,
 * who is no authority: the JDK's own key manager would show it nothing then.
 */
final class OnlyKey extends X509ExtendedKeyManager {
  private final X509ExtendedKeyManager key;

  private OnlyKey(X509ExtendedKeyManager key) {
    this.key = key;
  }

  /**
   * The managers of a factory.
   *
   * @param keys has been given the store
   * @return those of the factory, which are not asked about authorities
   */
  static KeyManager[] of(KeyManagerFactory keys) {
    KeyManager[] managers = keys.getKeyManagers();
    for (int i = 0; i < managers.length; i++) {
      if (managers[i] instanceof X509ExtendedKeyManager key) {
        managers[i] = new OnlyKey(key);
      }
    }
    return managers;
  }

  @Override
  public String @Nullable [] getClientAliases(String type, Principal @Nullable [] authorities) {
    return key.getClientAliases(type, null);
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] types, Principal @Nullable [] authorities, @Nullable Socket socket) {
    return key.chooseClientAlias(types, null, socket);
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] types, Principal @Nullable [] authorities, @Nullable SSLEngine engine) {
    return key.chooseEngineClientAlias(types, null, engine);
  }

  @Override
  public String @Nullable [] getServerAliases(String type, Principal @Nullable [] authorities) {
    return key.getServerAliases(type, null);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String type, Principal @Nullable [] authorities, @Nullable Socket socket) {
    return key.chooseServerAlias(type, null, socket);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String type, Principal @Nullable [] authorities, @Nullable SSLEngine engine) {
    return key.chooseEngineServerAlias(type, null, engine);
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    return key.getCertificateChain(alias);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    return key.getPrivateKey(alias);
  }
}
