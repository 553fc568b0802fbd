package carillon.support;

import carillon.store.RedisSetup;

/** A Redis for tests, however it is deployed. */
public interface TestRedis extends AutoCloseable {
  /** How stores reach it. */
  RedisSetup setup();

  /** Removes everything: data, functions and cached scripts. */
  void flush();

  @Override
  void close();
}
