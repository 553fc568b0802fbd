package carillon.support;

import carillon.redis.RedisLinkOptions;
import java.util.List;

/** A Redis for tests, however it is deployed. */
public interface TestRedis extends AutoCloseable {
  /** How stores reach it. */
  RedisLinkOptions setup();

  /** Removes everything: data, functions and cached scripts. */
  void flush();

  /** All keys of a pattern, wherever they live. */
  List<String> keys(String pattern);

  /** Everything that is in it: keys, members, fields and values. */
  String dump();

  @Override
  void close();
}
