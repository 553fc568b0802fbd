package carillon.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A self-signed certificate and its key in two PEM files, as a server or a client uses them.
 *
 * @param source certificate from which both files were written
 */
public record PemPair(Path certificate, Path key, TestCertificate source) {

  /** Creates a pair. Its files are named after {@code name}. */
  public static PemPair make(Path dir, String name) {
    TestCertificate source = TestCertificate.make(dir, name, "secret");
    Path key = dir.resolve(name + ".key");
    try {
      write(key, "PRIVATE KEY", store(source).getKey("a", "secret".toCharArray()).getEncoded());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    return new PemPair(source.pem(), key, source);
  }

  static void write(Path file, String kind, byte[] content) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    Files.writeString(
        file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
  }

  private static KeyStore store(TestCertificate source)
      throws IOException, GeneralSecurityException {
    return store(source.pfx(), source.password());
  }

  static KeyStore store(Path pfx, String password) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream file = Files.newInputStream(pfx)) {
      store.load(file, password.toCharArray());
    }
    return store;
  }

  /** Overwrites the file of this certificate with that of the other pair. */
  public void replaceCertificate(PemPair other) {
    replace(certificate, other.certificate);
  }

  /** Overwrites the file of this key with that of the other pair. */
  public void replaceKey(PemPair other) {
    replace(key, other.key);
  }

  private static void replace(Path from, Path to) {
    try {
      Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the TLS context of a client that trusts only this certificate. The client presents the
   * other certificate, if any.
   */
  public SSLContext trustedBy(Optional<PemPair> client) {
    try {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry("server", store(source).getCertificate("a"));
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      KeyManager[] keys = null;
      if (client.isPresent()) {
        KeyManagerFactory factory =
            KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store(client.get().source), "secret".toCharArray());
        keys = factory.getKeyManagers();
      }
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, trust.getTrustManagers(), null);
      return context;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the encoded certificate, for its fingerprint. */
  public byte[] encoded() {
    try {
      String body = Files.readString(certificate, StandardCharsets.US_ASCII);
      return Base64.getMimeDecoder().decode(body.replaceAll("-----[A-Z ]+-----", "").strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
