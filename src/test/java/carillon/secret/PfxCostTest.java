package carillon.secret;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import carillon.secret.Pfx.Fault;
import carillon.secret.Pfx.FaultException;
import carillon.support.TestCertificate;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.PBEParameterSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of PKCS #12 files that would take minutes to read. */
@Tag("alone")
class PfxCostTest {
  private static final String PASSWORD = "canary";

  /** Time limit that is shorter than reading such a file. */
  private static final Duration SHORT = Duration.ofSeconds(20);

  @TempDir Path dir;

  private static Fault fault(byte[] file) {
    return assertTimeoutPreemptively(
        SHORT,
        () ->
            assertThrows(
                    FaultException.class,
                    () -> Pfx.read(Base64.getEncoder().encodeToString(file), PASSWORD))
                .fault());
  }

  private byte[] written(String... options) throws IOException {
    TestCertificate made =
        TestCertificate.make(dir, "client", PASSWORD, "2020/01/01 00:00:00", 7300, options);
    return Files.readAllBytes(made.pfx());
  }

  @ParameterizedTest
  @ValueSource(strings = {"certPbeIterationCount", "keyPbeIterationCount", "macIterationCount"})
  void iterationsAreBoundedInEachPartOfAFile(String part) throws IOException {
    assertEquals(Fault.TOO_MUCH_WORK, fault(written("-Dkeystore.pkcs12." + part + "=1000001")));
  }

  @Test
  void iterationsAreBoundedInSum() throws IOException {
    byte[] file =
        written(
            "-Dkeystore.pkcs12.certPbeIterationCount=400000",
            "-Dkeystore.pkcs12.keyPbeIterationCount=400000",
            "-Dkeystore.pkcs12.macIterationCount=400000");

    assertEquals(Fault.TOO_MUCH_WORK, fault(file));
  }

  @Test
  void aFileOfManyIterationsWithinTheBoundIsRead() throws Exception {
    byte[] file =
        written(
            "-Dkeystore.pkcs12.certPbeIterationCount=300000",
            "-Dkeystore.pkcs12.keyPbeIterationCount=300000",
            "-Dkeystore.pkcs12.macIterationCount=300000");

    Pfx pfx = Pfx.read(Base64.getEncoder().encodeToString(file), PASSWORD);

    assertEquals("CN=client", pfx.subjectName());
  }

  @Test
  void aFileOfManyPartsIsRefused() throws GeneralSecurityException {
    byte[] part = encryptedPart(sequence(), 5000);

    assertEquals(Fault.TOO_MUCH_WORK, fault(file(Collections.nCopies(200, part))));
  }

  @Test
  void keysInsideAnEncryptedPartAreCounted() throws GeneralSecurityException {
    byte[] bag =
        sequence(
            oid("2a864886f70d010c0a0102"),
            tagged(0xA0, sequence(algorithm(5_000_000), tagged(4, new byte[64]))));

    assertEquals(Fault.TOO_MUCH_WORK, fault(file(List.of(encryptedPart(sequence(bag), 1000)))));
  }

  @Test
  void indefiniteLengthsAreUnderstood() throws GeneralSecurityException {
    byte[] part = encryptedPart(sequence(), 1_000_001);
    byte[] file = file(List.of(part));
    ByteArrayOutputStream indefinite = new ByteArrayOutputStream();
    indefinite.write(0x30);
    indefinite.write(0x80);
    indefinite.write(file, 6, file.length - 6);
    indefinite.write(0);
    indefinite.write(0);

    assertEquals(Fault.TOO_MUCH_WORK, fault(indefinite.toByteArray()));
  }

  /** Returns a file with a version and the parts, without a MAC. */
  private static byte[] file(List<byte[]> parts) {
    byte[] content = tagged(0xA0, tagged(4, sequence(parts.toArray(byte[][]::new))));
    return sequence(tagged(2, new byte[] {3}), sequence(oid("2a864886f70d010701"), content));
  }

  private static byte[] encryptedPart(byte[] bags, int iterations) throws GeneralSecurityException {
    String name = "PBEWithSHA1AndDESede";
    Cipher cipher = Cipher.getInstance(name);
    cipher.init(
        Cipher.ENCRYPT_MODE,
        SecretKeyFactory.getInstance(name).generateSecret(new PBEKeySpec(PASSWORD.toCharArray())),
        new PBEParameterSpec(new byte[8], iterations));
    byte[] info =
        sequence(
            oid("2a864886f70d010701"), algorithm(iterations), tagged(0x80, cipher.doFinal(bags)));
    return sequence(
        oid("2a864886f70d010706"), tagged(0xA0, sequence(tagged(2, new byte[] {0}), info)));
  }

  /** Returns the algorithm: PBE by SHA-1 and triple DES, RFC 7292. */
  private static byte[] algorithm(int iterations) {
    byte[] count = java.math.BigInteger.valueOf(iterations).toByteArray();
    return sequence(
        oid("2a864886f70d010c0103"), sequence(tagged(4, new byte[8]), tagged(2, count)));
  }

  private static byte[] oid(String hex) {
    return tagged(6, java.util.HexFormat.of().parseHex(hex));
  }

  private static byte[] sequence(byte[]... fields) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] field : fields) {
      all.writeBytes(field);
    }
    return tagged(0x30, all.toByteArray());
  }

  private static byte[] tagged(int tag, byte[] content) {
    return java.nio.ByteBuffer.allocate(content.length + 6)
        .put((byte) tag)
        .put((byte) 0x84)
        .putInt(content.length)
        .put(content)
        .array();
  }
}
