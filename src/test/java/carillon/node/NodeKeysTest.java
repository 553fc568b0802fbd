package carillon.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.Settings;
import carillon.config.TestSettings;
import carillon.secret.SecretException;
import carillon.support.Keys256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the sources of the keys for secrets. */
class NodeKeysTest {
  private static final String ID = Keys256.ring(1).activeId();

  @TempDir Path dir;

  private Settings settings(String... settings) {
    return TestSettings.with(TestSettings.with("data.dir=" + dir), settings);
  }

  @Test
  void theEmbeddedDefaultMakesAKeyAtTheFirstStartOnly() {
    NodeKeys first = NodeKeys.of(settings(), true);
    NodeKeys second = NodeKeys.of(settings(), true);

    String where = " of " + dir.resolve("secrets.key");
    assertEquals(
        "key " + first.vault().activeKey() + where + ", made at this start", first.vaultOrigin());
    assertEquals("key " + first.vault().activeKey() + where, second.vaultOrigin());
  }

  @Test
  void keysOfTheEnvironmentComeFirst() {
    String keys = Keys256.key(1) + "," + Keys256.key(2);

    NodeKeys given = NodeKeys.of(settings("secrets.keys=" + keys), true);

    assertEquals("key " + ID + " of secrets.keys", given.vaultOrigin());
    assertTrue(given.vault().hasOlderKeys());
    assertFalse(Files.exists(dir.resolve("secrets.key")));
  }

  @Test
  void aFileOfKeysServesAlsoWithAnExternalRedis() throws IOException {
    Path file = Files.writeString(dir.resolve("keys"), Keys256.key(1));

    NodeKeys given = NodeKeys.of(settings("secrets.keyFile=" + file), false);

    assertEquals("key " + ID + " of " + file, given.vaultOrigin());
  }

  @Test
  void withAnExternalRedisNoKeyIsMade() {
    NodeKeys none = NodeKeys.of(settings(), false);

    assertEquals("no key, jobs with secrets are refused", none.vaultOrigin());
    assertFalse(Files.exists(dir.resolve("secrets.key")));
  }

  @Test
  void aWeakKeyIsRefusedByItsSetting() {
    Settings weak = settings("secrets.keys=" + "A".repeat(43) + "=");

    SecretException refusal = assertThrows(SecretException.class, () -> NodeKeys.of(weak, true));

    assertEquals(
        "secrets.keys: key 1 is a pattern, not random bytes; make one with: openssl rand -base64 32",
        refusal.getMessage());
  }
}
