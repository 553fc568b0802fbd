package carillon.api.edge;

import carillon.config.HttpSettings;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.X509KeyManager;

/**
 * TLS settings of the API; versions 1.2 and 1.3.
 *
 * @param certificate PEM file
 * @param key PEM file
 * @param clientCa PEM file with the authorities of client certificates; empty if clients are not
 *     asked for any
 * @param hsts time for which browsers must use HTTPS only (RFC 6797); zero for no such header
 */
public record ServerTls(Path certificate, Path key, Optional<Path> clientCa, Duration hsts) {
  private static final Set<String> PROTOCOLS = Set.of("TLSv1.3", "TLSv1.2");
  private static final byte[] ANYTHING = "anything".getBytes(StandardCharsets.US_ASCII);

  /** Returns the TLS of the settings; empty if the API is served without TLS. */
  public static Optional<ServerTls> of(HttpSettings.HttpTlsSettings tls) {
    return tls.isEnabled()
        ? Optional.of(
            new ServerTls(
                Path.of(tls.certificate()),
                Path.of(tls.key()),
                Optional.of(tls.clientCa()).filter(file -> !file.isEmpty()).map(Path::of),
                tls.hsts()))
        : Optional.empty();
  }

  public void addTo(HttpServerOptions options) {
    ServerSSLOptions tls = options();
    options
        .setSsl(true)
        .setUseAlpn(false)
        .setKeyCertOptions(tls.getKeyCertOptions())
        .setTrustOptions(tls.getTrustOptions())
        .setClientAuth(tls.getClientAuth())
        .setEnabledSecureTransportProtocols(PROTOCOLS);
  }

  public ServerSSLOptions options() {
    ServerSSLOptions options = new ServerSSLOptions();
    options
        .setKeyCertOptions(pair())
        .setEnabledSecureTransportProtocols(PROTOCOLS)
        .setUseAlpn(false);
    clientCa.ifPresent(
        file -> {
          options.setTrustOptions(new PemTrustOptions().addCertPath(file.toString()));
          // Asked for, not demanded: a client may prove who it is in another way.
          options.setClientAuth(ClientAuth.REQUEST);
        });
    return options;
  }

  private PemKeyCertOptions pair() {
    return new PemKeyCertOptions().addCertPath(certificate.toString()).addKeyPath(key.toString());
  }

  /** Adds the header that makes a browser use HTTPS only. */
  public void pin(HttpServerResponse response) {
    if (!hsts.isZero()) {
      response.putHeader("Strict-Transport-Security", "max-age=" + hsts.toSeconds());
    }
  }

  /** Files that change when a certificate is renewed. */
  public List<Path> files() {
    return Stream.concat(Stream.of(certificate, key), clientCa.stream()).toList();
  }

  /**
   * Checks that the files can be read and that the key belongs to the certificate. Blocks.
   *
   * @throws IllegalStateException with the file and the fault in its message
   */
  public void check(Vertx vertx) {
    if (clientCa.isPresent()) {
      read(
          clientCa.get().toString(),
          "no certificates",
          () -> options().getTrustOptions().getTrustManagerFactory(vertx));
    }
    X509KeyManager keys =
        read(
            certificate + " and " + key,
            "no certificate with its private key",
            () -> (X509KeyManager) pair().getKeyManagerFactory(vertx).getKeyManagers()[0]);
    if (!belongTogether(keys)) {
      throw new IllegalStateException(
          "the key in " + key + " (http.tls.key) is not that of the certificate in " + certificate);
    }
  }

  private interface FileRead<T> {
    T read() throws Exception;
  }

  private static <T> T read(String files, String lacking, FileRead<T> reading) {
    try {
      return reading.read();
    } catch (Exception e) {
      throw new IllegalStateException(
          "http.tls: " + files + " holds " + lacking + " in PEM: " + e.getMessage(), e);
    }
  }

  private static boolean belongTogether(X509KeyManager keys) {
    for (String type : List.of("RSA", "EC", "EdDSA", "DSA")) {
      String[] names = keys.getServerAliases(type, null);
      if (names != null && names.length > 0) {
        return isPair(
            keys.getPrivateKey(names[0]), keys.getCertificateChain(names[0])[0].getPublicKey());
      }
    }
    return false;
  }

  private static boolean isPair(PrivateKey secret, PublicKey certified) {
    try {
      String algorithm =
          switch (secret.getAlgorithm()) {
            case "EC" -> "SHA256withECDSA";
            case "RSA" -> "SHA256withRSA";
            default -> secret.getAlgorithm();
          };
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(secret);
      signature.update(ANYTHING);
      byte[] signed = signature.sign();
      signature.initVerify(certified);
      signature.update(ANYTHING);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
