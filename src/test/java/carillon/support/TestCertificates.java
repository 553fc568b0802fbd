package carillon.support;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A certificate authority of one test, and certificates that it has signed, as PEM files. */
public final class TestCertificates {
  private static final String PASSWORD = "changeit";
  private final Path dir;

  /** Makes the authority; its certificate is {@code ca.pem}. */
  public TestCertificates(Path dir) {
    this.dir = dir;
    keytool("-genkeypair", "ca", "-keyalg", "EC", "-dname", "CN=test authority", "-ext", "bc:c");
    write("ca");
  }

  /**
   * Makes a certificate {@code <name>.pem} with its key {@code <name>.key}.
   *
   * @param names as keytool writes them, such as {@code dns:localhost,ip:127.0.0.1}
   */
  public void sign(String name, String names) {
    keytool("-genkeypair", name, "-keyalg", "EC", "-dname", "CN=" + name);
    keytool("-certreq", name, "-file", dir.resolve(name + ".csr").toString());
    keytool(
        "-gencert",
        "ca",
        "-infile",
        dir.resolve(name + ".csr").toString(),
        "-outfile",
        dir.resolve(name + ".crt").toString(),
        "-ext",
        "san=" + names);
    keytool("-importcert", name, "-file", dir.resolve(name + ".crt").toString());
    write(name);
  }

  /** One of the files. */
  public Path file(String name) {
    return dir.resolve(name);
  }

  private void keytool(String action, String alias, String... more) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                action,
                "-noprompt",
                "-alias",
                alias,
                "-keystore",
                dir.resolve("store.p12").toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD));
    command.addAll(List.of(more));
    if (action.equals("-certreq")) {
      command.remove("-noprompt");
    }
    if (action.equals("-gencert") || action.equals("-genkeypair")) {
      command.remove("-noprompt");
      command.addAll(List.of("-validity", "2"));
    }
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(dir.resolve("keytool.log").toFile())
              .start();
      if (process.waitFor() != 0) {
        throw new IllegalStateException(Files.readString(dir.resolve("keytool.log")));
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void write(String alias) {
    try (InputStream in = Files.newInputStream(dir.resolve("store.p12"))) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, PASSWORD.toCharArray());
      pem(alias + ".pem", "CERTIFICATE", store.getCertificate(alias).getEncoded());
      pem(alias + ".key", "PRIVATE KEY", store.getKey(alias, PASSWORD.toCharArray()).getEncoded());
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private void pem(String name, String kind, byte[] content) throws IOException {
    String text =
        Base64.getMimeEncoder(64, "\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII))
            .encodeToString(content);
    Files.writeString(
        dir.resolve(name),
        "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
  }
}
