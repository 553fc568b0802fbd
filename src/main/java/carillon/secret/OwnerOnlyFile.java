package carillon.secret;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Files that only their owner can read. Blocks. */
public final class OwnerOnlyFile {
  private OwnerOnlyFile() {}

  /**
   * Makes a file. Never half there: a crash while it is written leaves another file, which nobody
   * reads.
   *
   * @throws FileAlreadyExistsException when it is there
   */
  public static void create(Path file, String text) throws IOException {
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
