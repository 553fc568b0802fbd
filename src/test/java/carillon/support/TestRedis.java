package carillon.support;

import carillon.config.RedisSettings;
import carillon.config.Settings;
import carillon.config.TestSettings;
import carillon.redis.RedisLinkOptions;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** A Redis for tests, however it is deployed. */
public interface TestRedis extends AutoCloseable {
  /** How stores reach it. */
  RedisLinkOptions setup();

  /** How to reach one server, with nothing asked of it. */
  static RedisLinkOptions standalone(URI uri, Duration commandTimeout, Duration reconnectMax) {
    return with("uri=" + uri, "commandTimeout=" + commandTimeout, "reconnectMax=" + reconnectMax);
  }

  /** How to reach what the section {@code redis} says with each {@code key=value} set. */
  static RedisLinkOptions with(String... settings) {
    RedisSettings redis = TestSettings.with(Settings.defaults().redis(), settings);
    return RedisLinkOptions.of(redis, redis.uri());
  }

  /** Removes everything: data, functions and cached scripts. */
  void flush();

  /** All keys of a pattern, wherever they live. */
  List<String> keys(String pattern);

  /** Everything that is in it: keys, members, fields and values. */
  String dump();

  @Override
  void close();
}
