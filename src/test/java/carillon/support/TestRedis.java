package carillon.support;

import carillon.config.RedisSettings;
import carillon.config.Settings;
import carillon.config.TestSettings;
import carillon.redis.route.RedisLinkOptions;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** A Redis for tests, whatever its deployment. */
public interface TestRedis extends AutoCloseable {
  /** Returns the options with which stores connect. */
  RedisLinkOptions setup();

  /** Returns options for one server, without contacting it. */
  static RedisLinkOptions standalone(URI uri, Duration commandTimeout, Duration reconnectMax) {
    return with("uri=" + uri, "commandTimeout=" + commandTimeout, "reconnectMax=" + reconnectMax);
  }

  /** Returns options from the default settings {@code redis} with each {@code key=value} set. */
  static RedisLinkOptions with(String... settings) {
    RedisSettings redis = TestSettings.with(Settings.defaults().redis(), settings);
    return RedisLinkOptions.of(redis, redis.uri());
  }

  /** Removes everything: data, functions and cached scripts. */
  void flush();

  /** Returns all keys of a pattern, on all servers. */
  List<String> keys(String pattern);

  /** Returns the entire content: keys, members, fields and values. */
  String dump();

  @Override
  void close();
}
