package carillon;

import carillon.config.RedisSettings;
import carillon.store.Durability;
import carillon.store.RedisSetup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the settings say of Redis, as the store wants it. */
final class RedisSetups {
  private RedisSetups() {}

  /** Reads the password file, if there is one: blocks. */
  static RedisSetup of(RedisSettings redis, List<URI> uris) {
    RedisSettings.Tls tls = redis.tls();
    return new RedisSetup(
        RedisSetup.Mode.valueOf(redis.mode().name()),
        uris,
        redis.masterName(),
        redis.user(),
        password(redis),
        new RedisSetup.Tls(tls.trustedCa(), tls.certificate(), tls.key(), tls.verifyHost()),
        Durability.valueOf(redis.durability().name()),
        false,
        redis.commandTimeout(),
        redis.reconnectMax());
  }

  private static String password(RedisSettings redis) {
    if (redis.passwordFile().isEmpty()) {
      return redis.password();
    }
    try {
      return Files.readString(Path.of(redis.passwordFile())).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("redis.passwordFile cannot be read: " + e.getMessage(), e);
    }
  }
}
