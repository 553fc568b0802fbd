package carillon.node;

import carillon.access.ApiKey;
import carillon.access.ApiKeyToken;
import carillon.config.AccessSettings;
import carillon.config.Settings;
import carillon.secret.OwnerOnlyFile;
import carillon.secret.SecretException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The API key that the operator gives in the settings, with which the others are made: from {@code
 * access.adminKey} or {@code access.adminKeyFile}; with the embedded Redis from a file beside its
 * data, which is made at the first start. Nodes that share a Redis are each given it.
 *
 * @param keys none or one
 * @param origin for the start line; empty where there is none
 */
record AdminKey(List<ApiKey> keys, String origin) {
  private static final String FILE = "admin.key";
  private static final int LARGEST = 1024;

  /**
   * Reads the key, or makes one. Blocks.
   *
   * @throws SecretException naming the setting and what is wrong
   */
  static AdminKey of(Settings settings, boolean embedded) {
    AccessSettings access = settings.access();
    if (!access.accept().contains(AccessSettings.Proof.KEYS)) {
      return new AdminKey(List.of(), "");
    }
    if (!access.adminKey().isEmpty()) {
      return of(access.adminKey().strip(), "access.adminKey");
    }
    if (!access.adminKeyFile().isEmpty()) {
      return of(read(Path.of(access.adminKeyFile())), access.adminKeyFile());
    }
    if (!embedded) {
      return new AdminKey(List.of(), "");
    }
    Path file = settings.data().dir().resolve(FILE);
    createIfAbsent(file);
    return of(read(file), file.toString());
  }

  private static void createIfAbsent(Path file) {
    try {
      if (!Files.exists(file)) {
        OwnerOnlyFile.create(file, ApiKeyToken.random().reveal() + "\n");
      }
    } catch (FileAlreadyExistsException e) {
      // made by another start at the same time
    } catch (IOException e) {
      throw new SecretException(file + " cannot be made (" + e.getClass().getSimpleName() + ")");
    }
  }

  private static String read(Path file) {
    try {
      if (Files.size(file) > LARGEST) {
        throw new SecretException(file + " is too large to hold a key");
      }
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new SecretException(file + " cannot be read (" + e.getClass().getSimpleName() + ")");
    }
  }

  private static AdminKey of(String text, String where) {
    ApiKeyToken key =
        ApiKeyToken.parse(text)
            .orElseThrow(() -> new SecretException(where + ": the key " + ApiKeyToken.RULE));
    if (key.isWeak()) {
      throw new SecretException(where + ": the secret of the key is a pattern, not random");
    }
    return new AdminKey(List.of(ApiKey.ofOperator(key)), where);
  }
}
