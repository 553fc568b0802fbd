package carillon.redis;

import java.time.Duration;
import java.time.InstantSource;

/** The common clock of all nodes. */
public interface SharedClock extends InstantSource {
  /**
   * Marks the moment of a request for Redis' time; the result is an argument of {@link #observe}.
   */
  long ask();

  /**
   * Sets this clock by an answer from Redis that has just arrived.
   *
   * @param asked result of {@link #ask} at the time of the request
   * @param redisMicros microseconds since the epoch, from TIME
   */
  void observe(long asked, long redisMicros);

  /**
   * Compares this clock with a reading of Redis' clock, and follows Redis' clock if they contradict
   * each other.
   *
   * @param asked result of {@link #ask} at the time of the request
   * @param redisMicros microseconds since the epoch, from TIME
   * @return the epoch millisecond that counts: later entries are not due yet
   */
  default long check(long asked, long redisMicros) {
    observe(asked, redisMicros);
    return millis();
  }

  /**
   * Maximum by which Redis' clock may be ahead of {@link #instant}. An action that must not come
   * too soon, such as a retry, adds it to its time.
   */
  Duration uncertainty();

  /**
   * The number of times Redis' clock was set by more than a second since this clock began: instants
   * from before say nothing of how long ago something was.
   */
  int steps();
}
