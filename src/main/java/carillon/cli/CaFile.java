package carillon.cli;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Who is trusted to say who a node is. */
final class CaFile {
  private CaFile() {}

  /** Those whose certificates are in a PEM file, and nobody else. */
  static SSLContext in(Path file) {
    try (InputStream pem = new BufferedInputStream(Files.newInputStream(file))) {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int number = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
        store.setCertificateEntry("ca-" + number++, each);
      }
      if (number == 0) {
        throw CommandException.usage("--ca " + file + " holds no certificate");
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw CommandException.usage(
          "--ca " + file + " holds no PEM certificates: " + e.getMessage());
    } catch (IOException e) {
      throw CommandException.usage("--ca " + file + " cannot be read: " + IoErrorText.of(e));
    }
  }
}
