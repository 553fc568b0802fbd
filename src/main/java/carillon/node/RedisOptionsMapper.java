package carillon.node;

import carillon.config.RedisSettings;
import carillon.redis.Durability;
import carillon.redis.RedisLinkOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the settings say of Redis, as the store wants it. */
public final class RedisOptionsMapper {
  private RedisOptionsMapper() {}

  /** Reads the password file, if there is one: blocks. */
  public static RedisLinkOptions of(RedisSettings redis, List<URI> uris) {
    RedisSettings.Tls tls = redis.tls();
    return new RedisLinkOptions(
        RedisLinkOptions.Mode.valueOf(redis.mode().name()),
        uris,
        redis.masterName(),
        redis.user(),
        password(redis),
        new RedisLinkOptions.Tls(tls.trustedCa(), tls.certificate(), tls.key(), tls.verifyHost()),
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
