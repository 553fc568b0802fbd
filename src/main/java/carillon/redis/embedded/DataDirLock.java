package carillon.redis.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Lock of a data directory, held on its file {@code carillon.lock}. The system releases it after
 * any end of this process. The file has two lines: the holder's process id and the socket of its
 * Redis.
 *
 * <p>Directories in use by this process are deliberately kept in a set, and their file is not
 * opened again. Closing any other channel on the file would release the lock (POSIX locks belong to
 * the process). For the same reason nothing else in this process may open the file.
 */
final class DataDirLock implements AutoCloseable {
  private static final Set<Path> MINE = new HashSet<>(); // guarded by its own monitor

  private final Path dir;
  private final FileChannel channel;
  private final Optional<Path> previousSocket;

  private DataDirLock(Path dir, FileChannel channel) throws IOException {
    this.dir = dir;
    this.channel = channel;
    this.previousSocket = line(read(channel), 1).map(Path::of);
  }

  /**
   * Takes the lock.
   *
   * @param dir an existing directory
   * @throws EmbeddedRedisException when another Carillon has it; names its process id
   */
  static DataDirLock acquire(Path dir) {
    synchronized (MINE) {
      try {
        Path real = dir.toRealPath();
        if (MINE.contains(real)) {
          throw inUse(dir, ProcessHandle.current().pid() + ", this one");
        }
        DataDirLock lock = open(real);
        MINE.add(real);
        return lock;
      } catch (IOException e) {
        throw new EmbeddedRedisException("cannot lock the data directory " + dir, e);
      }
    }
  }

  /**
   * Returns the socket of another process's Redis with this directory; empty when none has it. A
   * process that has the directory itself must not call this.
   *
   * @throws EmbeddedRedisException when there is no such directory
   */
  static Optional<Path> holder(Path dir) {
    try {
      Path real = dir.toRealPath();
      try (FileChannel channel = channel(real)) {
        return channel.tryLock() == null ? line(read(channel), 1).map(Path::of) : Optional.empty();
      }
    } catch (IOException e) {
      throw new EmbeddedRedisException("there is no data directory " + dir, e);
    }
  }

  private static FileChannel channel(Path dir) throws IOException {
    return FileChannel.open(
        dir.resolve("carillon.lock"),
        StandardOpenOption.CREATE,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE);
  }

  private static DataDirLock open(Path dir) throws IOException {
    FileChannel channel = channel(dir);
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw inUse(dir, line(read(channel), 0).orElse("unknown"));
      }
      return new DataDirLock(dir, channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** The socket that the last holder's Redis listened on, when one was noted. */
  Optional<Path> previousSocket() {
    return previousSocket;
  }

  /** Notes who holds the directory and where Redis will listen. */
  void note(Path socket) throws IOException {
    byte[] text =
        (ProcessHandle.current().pid() + "\n" + socket + "\n").getBytes(StandardCharsets.UTF_8);
    channel.truncate(0).write(ByteBuffer.wrap(text), 0);
  }

  /**
   * Releases the lock. The file stays, because two processes could otherwise lock two different
   * files.
   */
  @Override
  public void close() {
    synchronized (MINE) {
      try {
        channel.close();
      } catch (IOException e) {
        throw new EmbeddedRedisException("cannot release the lock of " + dir, e);
      } finally {
        MINE.remove(dir);
      }
    }
  }

  private static List<String> read(FileChannel channel) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(channel.size(), 8192));
    channel.read(buffer, 0);
    return new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8)
        .lines()
        .toList();
  }

  private static Optional<String> line(List<String> lines, int index) {
    return lines.stream().skip(index).findFirst().filter(line -> !line.isBlank());
  }

  private static EmbeddedRedisException inUse(Path dir, String process) {
    return new EmbeddedRedisException(
        "data directory " + dir + " is in use by another Carillon (process " + process + ")");
  }
}
