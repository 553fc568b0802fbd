package carillon.node;

import carillon.access.ApiKey;
import carillon.access.ApiKeyToken;
import carillon.config.AccessSettings;
import carillon.config.Settings;
import carillon.config.Settings.SecretsSettings;
import carillon.secret.KeyFile;
import carillon.secret.KeyRing;
import carillon.secret.SecretException;
import carillon.secret.Vault;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Keys of a node: the sealing keys, and the API key of the operator, which creates the other API
 * keys. Both come from the settings. With the embedded Redis they come from files beside its data,
 * which are created at the first start. Nodes that share a Redis must also share the keys, so no
 * key is created there. Without a sealing key, jobs with secrets are refused and all others run.
 *
 * @param vault vault with the sealing keys
 * @param vaultOrigin origin of these keys, for the start line
 * @param operator the API key of the operator: none or one
 * @param operatorOrigin origin of that key, for the start line; empty if there is none
 */
record NodeKeys(Vault vault, String vaultOrigin, List<ApiKey> operator, String operatorOrigin) {
  private static final String SEALING_FILE = "secrets.key";
  private static final String OPERATOR_FILE = "admin.key";
  private static final int MAX_FILE_BYTES = 1024;

  /** Key or keys, and their origin. */
  private record LoadedKey<T>(T key, String origin) {}

  /**
   * Reads the keys, or makes them. Blocks.
   *
   * @throws SecretException with the setting and the fault in its message
   */
  static NodeKeys of(Settings settings, boolean embedded) {
    LoadedKey<Vault> vault = vault(settings, embedded);
    LoadedKey<List<ApiKey>> operator = operator(settings, embedded);
    return new NodeKeys(vault.key, vault.origin, operator.key, operator.origin);
  }

  /** Whether secrets can be sealed and unsealed. */
  boolean canSeal() {
    return !vault.activeKey().equals("none");
  }

  private static LoadedKey<Vault> vault(Settings settings, boolean embedded) {
    SecretsSettings given = settings.secrets();
    if (!given.keys().isEmpty()) {
      return sealing(named("secrets.keys", given), "of secrets.keys");
    }
    if (!given.keyFile().isEmpty()) {
      Path file = Path.of(given.keyFile());
      return sealing(KeyFile.read(file), "of " + file);
    }
    if (!embedded) {
      return new LoadedKey<>(Vault.locked(), "no key, jobs with secrets are refused");
    }
    Path file = settings.data().dir().resolve(SEALING_FILE);
    boolean made = KeyFile.createIfAbsent(file);
    return sealing(KeyFile.read(file), "of " + file + (made ? ", made at this start" : ""));
  }

  private static KeyRing named(String setting, SecretsSettings given) {
    try {
      return KeyRing.of(given.keys());
    } catch (SecretException e) {
      throw new SecretException(setting + ": " + e.getMessage());
    }
  }

  private static LoadedKey<Vault> sealing(KeyRing keys, String where) {
    return new LoadedKey<>(Vault.of(keys), "key " + keys.activeId() + " " + where);
  }

  private static LoadedKey<List<ApiKey>> operator(Settings settings, boolean embedded) {
    AccessSettings access = settings.access();
    if (!access.accept().contains(AccessSettings.Proof.KEYS)) {
      return new LoadedKey<>(List.of(), "");
    }
    if (!access.adminKey().isEmpty()) {
      return operator(access.adminKey().strip(), "access.adminKey");
    }
    if (!access.adminKeyFile().isEmpty()) {
      return operator(read(Path.of(access.adminKeyFile())), access.adminKeyFile());
    }
    if (!embedded) {
      return new LoadedKey<>(List.of(), "");
    }
    Path file = settings.data().dir().resolve(OPERATOR_FILE);
    createIfAbsent(file);
    return operator(read(file), file.toString());
  }

  private static LoadedKey<List<ApiKey>> operator(String text, String where) {
    ApiKeyToken key =
        ApiKeyToken.parse(text)
            .orElseThrow(() -> new SecretException(where + ": the key " + ApiKeyToken.RULE));
    if (key.isWeak()) {
      throw new SecretException(where + ": the secret of the key is a pattern, not random");
    }
    return new LoadedKey<>(List.of(ApiKey.ofOperator(key)), where);
  }

  private static void createIfAbsent(Path file) {
    try {
      if (!Files.exists(file)) {
        KeyFile.createPrivate(file, ApiKeyToken.random().reveal() + "\n");
      }
    } catch (FileAlreadyExistsException e) {
      // made by another start at the same time
    } catch (IOException e) {
      throw new SecretException(file + " cannot be created (" + e.getClass().getSimpleName() + ")");
    }
  }

  private static String read(Path file) {
    try {
      if (Files.size(file) > MAX_FILE_BYTES) {
        throw new SecretException(file + " is too large to hold a key");
      }
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new SecretException(file + " cannot be read (" + e.getClass().getSimpleName() + ")");
    }
  }
}
