package carillon.redis.route;

/**
 * Listener to events on the connections to Redis. Called on event loops, of several at a time: must
 * be thread-safe, quick, and not throw.
 */
public interface RedisObserver {
  /** Does nothing. */
  RedisObserver NONE = new RedisObserver() {};

  /**
   * A command was answered, with a value or an error.
   *
   * @param sentNanos when it was sent, as a {@link System#nanoTime}
   */
  default void answered(long sentNanos) {}

  /** A connection was lost, or left because the server hangs or is no master any more. */
  default void lost() {}

  /** Notes that a lost connection is restored. */
  default void restored() {}

  /** A change of a job recorded occurrences as skipped. */
  default void skipped(long occurrences) {}
}
