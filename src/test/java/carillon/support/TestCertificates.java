package carillon.support;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;

/** A certificate authority for one test, and the certificates that it signs, as PEM files. */
public final class TestCertificates {
  private static final String PASSWORD = "changeit";
  private final Path dir;

  /** Creates the authority. Its certificate is {@code ca.pem}. */
  public TestCertificates(Path dir) {
    this.dir = dir;
    keytool(
        "-genkeypair -validity 2 -keyalg EC -alias ca -ext bc:c", "-dname", "CN=test authority");
    write("ca");
  }

  /**
   * Creates a certificate {@code <name>.pem} with its key {@code <name>.key}.
   *
   * @param names in the format of keytool, such as {@code dns:localhost,ip:127.0.0.1}
   */
  public void sign(String name, String names) {
    Path request = file(name + ".csr");
    Path signed = file(name + ".crt");
    String alias = " -alias " + name;
    keytool("-genkeypair -validity 2 -keyalg EC -dname CN=" + name + alias);
    keytool("-certreq -file " + request + alias);
    keytool(
        "-gencert -validity 2 -alias ca -infile %s -outfile %s -ext san=%s"
            .formatted(request, signed, names));
    keytool("-importcert -noprompt -file " + signed + alias);
    write(name);
  }

  /** Returns the path of a PEM file. */
  public Path file(String name) {
    return dir.resolve(name);
  }

  private void keytool(String words, String... more) {
    String store = " -storetype PKCS12 -storepass " + PASSWORD + " -keystore " + file("store.p12");
    TestCertificate.keytool(List.of(), words + store, more);
  }

  private void write(String alias) {
    try {
      KeyStore store = PemPair.store(file("store.p12"), PASSWORD);
      PemPair.write(file(alias + ".pem"), "CERTIFICATE", store.getCertificate(alias).getEncoded());
      PemPair.write(
          file(alias + ".key"),
          "PRIVATE KEY",
          store.getKey(alias, PASSWORD.toCharArray()).getEncoded());
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
