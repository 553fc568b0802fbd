package carillon.benchmark;

/**
 * The least that storing a job can be: one script, a hash of 500 bytes and an entry in a sorted
 * set.
 */
final class StoreBaselineScript {
  static final String TEXT =
      """
      redis.call('HSET', KEYS[1], 'definition', ARGV[1], 'state', 'enabled')
      return redis.call('ZADD', KEYS[2], ARGV[2], KEYS[1])
      """;
  static final int DEFINITION_BYTES = 500;

  private StoreBaselineScript() {}
}
