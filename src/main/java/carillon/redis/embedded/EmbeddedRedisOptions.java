package carillon.redis.embedded;

import carillon.config.Settings.EmbeddedSettings.Fsync;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Options of the start of an {@link EmbeddedRedis}.
 *
 * @param dataDir directory of all data; created (readable by its owner only) when missing
 * @param fsync when the append-only file is forced to the disk
 * @param binary source of the program
 * @param startDeadline maximum time of silence of Redis during the start; a Redis that reports
 *     loading its data may take any time
 * @param extraConfig lines for the end of redis.conf, where they override ours; for tests
 */
public record EmbeddedRedisOptions(
    Path dataDir,
    Fsync fsync,
    BinarySource binary,
    Duration startDeadline,
    List<String> extraConfig) {

  /** Takes an absolute view of the directory and a copy of the lines. */
  public EmbeddedRedisOptions {
    dataDir = dataDir.toAbsolutePath().normalize();
    extraConfig = List.copyOf(extraConfig);
  }

  /** The usual: fsync every second, any binary, ten seconds to start. */
  public static EmbeddedRedisOptions in(Path dataDir) {
    return new EmbeddedRedisOptions(
        dataDir, Fsync.EVERYSEC, BinarySource.ANY, Duration.ofSeconds(10), List.of());
  }

  /** Returns these options with another fsync. */
  public EmbeddedRedisOptions with(Fsync newFsync) {
    return new EmbeddedRedisOptions(dataDir, newFsync, binary, startDeadline, extraConfig);
  }

  /** Returns these options with another source of the program. */
  public EmbeddedRedisOptions with(BinarySource newBinary) {
    return new EmbeddedRedisOptions(dataDir, fsync, newBinary, startDeadline, extraConfig);
  }

  /** Returns these options with another deadline of the start. */
  public EmbeddedRedisOptions withStartDeadline(Duration newDeadline) {
    return new EmbeddedRedisOptions(dataDir, fsync, binary, newDeadline, extraConfig);
  }

  /** Returns these options with other extra lines of the configuration. */
  public EmbeddedRedisOptions withExtraConfig(List<String> lines) {
    return new EmbeddedRedisOptions(dataDir, fsync, binary, startDeadline, lines);
  }

  /** Source of the redis-server program. */
  public enum BinarySource {
    /** {@link #PATH} when there is one, else {@link #JAR}. */
    ANY,
    /**
     * {@code redis-server} on the PATH, else {@code valkey-server}, version 7.0 or newer (an older
     * one is passed over).
     */
    PATH,
    /** The binary for this system in the org.signal:embedded-redis jar on the class path. */
    JAR
  }
}
