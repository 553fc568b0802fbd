package carillon.node;

import carillon.config.Settings;
import carillon.config.Settings.SecretsSettings;
import carillon.secret.KeyFile;
import carillon.secret.KeyRing;
import carillon.secret.SecretException;
import carillon.secret.Vault;
import java.nio.file.Path;

/**
 * Where the keys come from that seal secrets: from the settings; with the embedded Redis from a
 * file beside its data, which is made at the first start. Nodes that share a Redis must share the
 * keys, so that none is made there: without one, jobs with secrets are refused and all others run.
 *
 * @param vault under these keys
 * @param origin for the start line
 */
record EncryptionKeys(Vault vault, String origin) {
  private static final String FILE = "secrets.key";

  /**
   * Reads the keys, or makes one. Blocks.
   *
   * @throws SecretException naming the setting and what is wrong
   */
  static EncryptionKeys of(Settings settings, boolean embedded) {
    SecretsSettings given = settings.secrets();
    if (!given.keys().isEmpty()) {
      return of(named("secrets.keys", given), "of secrets.keys");
    }
    if (!given.keyFile().isEmpty()) {
      Path file = Path.of(given.keyFile());
      return of(KeyFile.read(file), "of " + file);
    }
    if (!embedded) {
      return new EncryptionKeys(Vault.locked(), "no key, jobs with secrets are refused");
    }
    Path file = settings.data().dir().resolve(FILE);
    boolean made = KeyFile.createIfAbsent(file);
    return of(KeyFile.read(file), "of " + file + (made ? ", made at this start" : ""));
  }

  /** Whether secrets can be sealed and opened. */
  boolean areThere() {
    return !vault.activeKey().equals("none");
  }

  private static KeyRing named(String setting, SecretsSettings given) {
    try {
      return KeyRing.of(given.keys());
    } catch (SecretException e) {
      throw new SecretException(setting + ": " + e.getMessage());
    }
  }

  private static EncryptionKeys of(KeyRing keys, String where) {
    return new EncryptionKeys(Vault.of(keys), "key " + keys.activeId() + " " + where);
  }
}
