package carillon.secret;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;

/**
 * A file of keys: one in base64 on each line, the active one first; empty lines and those that
 * begin with # do not count. Blocks.
 */
public final class KeyFile {
  private static final int MAX_FILE_BYTES = 64 * 1024;

  private KeyFile() {}

  /**
   * The keys of a file.
   *
   * @throws SecretException when it cannot be read or holds anything but keys
   */
  public static KeyRing read(Path file) {
    try {
      if (Files.size(file) > MAX_FILE_BYTES) {
        throw new SecretException(file + " is too large to be a file of keys");
      }
      List<String> keys =
          Files.readAllLines(file).stream()
              .map(String::strip)
              .filter(line -> !line.isEmpty() && !line.startsWith("#"))
              .toList();
      return KeyRing.of(keys);
    } catch (NoSuchFileException e) {
      throw new SecretException(file + " does not exist");
    } catch (IOException e) {
      throw new SecretException(file + " cannot be read (" + e.getClass().getSimpleName() + ")");
    } catch (SecretException e) {
      throw new SecretException(file + ": " + e.getMessage());
    }
  }

  /**
   * Makes a file with one new key, readable by its owner only, unless it exists.
   *
   * @return whether it was made
   */
  public static boolean createIfAbsent(Path file) {
    byte[] key = new byte[SealingKey.BYTES];
    new SecureRandom().nextBytes(key);
    String text =
        "# Carillon's keys for secrets in Redis, the active one first. Without them stored secrets"
            + " are lost.\n"
            + Base64.getEncoder().encodeToString(key)
            + "\n";
    try {
      createPrivate(file, text);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (IOException e) {
      throw new SecretException(file + " cannot be created (" + e.getClass().getSimpleName() + ")");
    }
  }

  /**
   * Makes a file that only its owner can read. The file is never incomplete: a crash during the
   * write leaves another file, which nobody reads.
   *
   * @throws FileAlreadyExistsException when it exists
   */
  public static void createPrivate(Path file, String text) throws IOException {
    if (Files.exists(file)) {
      throw new FileAlreadyExistsException(file.toString());
    }
    Path half = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(half);
    FileAttribute<?>[] ownerOnly =
        Files.getFileStore(file.toAbsolutePath().getParent()).supportsFileAttributeView("posix")
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];
    Files.createFile(half, ownerOnly);
    Files.writeString(half, text, StandardOpenOption.SYNC);
    Files.move(half, file);
  }
}
