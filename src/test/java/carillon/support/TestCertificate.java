package carillon.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A self-signed certificate with its key, created by the keytool of the JDK.
 *
 * @param name common name, and DNS name
 * @param pfx PKCS #12 file
 * @param password of the PFX
 * @param pem the certificate alone
 */
public record TestCertificate(String name, Path pfx, String password, Path pem) {
  /** Creates a certificate that is valid from 2020 to about 2040. */
  public static TestCertificate make(Path dir, String name, String password) {
    return make(dir, name, password, "2020/01/01 00:00:00", 7300);
  }

  /**
   * Creates a certificate.
   *
   * @param options of the Java program, such as -Dkeystore.pkcs12.legacy
   */
  public static TestCertificate make(
      Path dir, String name, String password, String start, int days, String... options) {
    Path pfx = dir.resolve(name + ".pfx");
    Path pem = dir.resolve(name + ".pem");
    String store = " -storetype PKCS12 -keystore " + pfx + " -storepass " + password + " -alias a";
    List<String> javaOptions = new ArrayList<>();
    for (String option : options) {
      javaOptions.add("-J" + option);
    }
    keytool(
        javaOptions,
        ("-genkeypair -keyalg EC -groupname secp256r1 -ext SAN=dns:" + name + ",ip:127.0.0.1")
            + (" -validity " + days + " -dname CN=" + name + store),
        "-startdate",
        start);
    keytool(javaOptions, "-exportcert -rfc -file " + pem + store);
    return new TestCertificate(name, pfx, password, pem);
  }

  /** Runs keytool with these Java options and arguments. */
  static void keytool(List<String> options, String words, String... more) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(options);
    command.addAll(List.of(words.split(" ")));
    command.addAll(List.of(more));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(said);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the PFX in base64. */
  public String base64() {
    try {
      return Base64.getEncoder().encodeToString(Files.readAllBytes(pfx));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
