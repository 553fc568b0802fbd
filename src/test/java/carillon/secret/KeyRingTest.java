package carillon.secret;

import static carillon.support.Keys256.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyRingTest {
  @TempDir Path dir;

  private static void assertRefused(String rule, String... keys) {
    SecretException refusal =
        assertThrows(SecretException.class, () -> KeyRing.of(List.of(keys)), rule);

    assertTrue(refusal.getMessage().contains(rule), refusal.getMessage());
    for (String key : keys) {
      assertFalse(refusal.getMessage().contains(key), "the message tells the key");
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  @Test
  void theFirstKeyIsActiveAndItsNameComesFromItself() {
    KeyRing ring = KeyRing.of(List.of(key(1), key(2)));

    assertEquals(KeyRing.of(List.of(key(1))).activeId(), ring.activeId());
    assertEquals(2, ring.ids().size());
    assertEquals("KeyRing" + ring.ids(), ring.toString());
  }

  @Test
  void keysThatNobodyDrewAtRandomAreRefused() {
    byte[] counting = new byte[32];
    for (int i = 0; i < 32; i++) {
      counting[i] = (byte) (i * 7);
    }
    assertRefused("key 1 is a pattern", base64(new byte[32]));
    assertRefused("key 1 is a pattern", base64(counting));
    assertRefused(
        "key 1 is readable text",
        base64("correct horse battery staple 123".getBytes(StandardCharsets.UTF_8)));
    assertRefused(
        "key 2 is the hash of a common word",
        key(1),
        base64(SealingKey.sha256().digest("password".getBytes(StandardCharsets.UTF_8))));
  }

  @Test
  void whatIsNoKeyIsRefused() {
    assertRefused("key 1 is not base64 of 32 bytes", base64(new byte[31]));
    assertRefused("key 2 is not base64 of 32 bytes", key(1), "not base64!");
    assertRefused("key 2 is given twice", key(1), key(1));
    assertRefused("there is no key");
  }

  @Test
  void aKeyFileIsMadeOnceForItsOwnerOnly() throws IOException {
    Path file = dir.resolve("secrets.key");

    assertTrue(KeyFile.createIfAbsent(file));
    String id = KeyFile.read(file).activeId();
    assertFalse(KeyFile.createIfAbsent(file));

    assertEquals(id, KeyFile.read(file).activeId());
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
  }

  @Test
  void aKeyFileHoldsAKeyOnEachLine() throws IOException {
    Path file = Files.writeString(dir.resolve("keys"), "# new\n" + key(2) + "\n\n  " + key(1));

    assertEquals(KeyRing.of(List.of(key(2), key(1))).ids(), KeyFile.read(file).ids());
  }

  @Test
  void aKeyFileThatIsNotThereOrHoldsNoKeyIsNamed() throws IOException {
    Path missing = dir.resolve("missing");
    Path empty = Files.writeString(dir.resolve("empty"), "# nothing\n");

    assertEquals(
        missing + " does not exist",
        assertThrows(SecretException.class, () -> KeyFile.read(missing)).getMessage());
    assertTrue(
        assertThrows(SecretException.class, () -> KeyFile.read(empty))
            .getMessage()
            .startsWith(empty + ": there is no key"));
  }
}
