package carillon.redis;

import java.time.Duration;
import java.time.InstantSource;

/** The common clock of all nodes. */
public interface SharedClock extends InstantSource {
  /**
   * Marks the moment at which Redis is asked for the time; the result is an argument of {@link
   * #observe}.
   */
  long ask();

  /**
   * Takes over the time of Redis' clock from an answer that has just arrived.
   *
   * @param asked what {@link #ask} said when it was asked
   * @param redisMicros microseconds since the epoch, from TIME
   */
  void observe(long asked, long redisMicros);

  /**
   * Compares this clock with what Redis' clock showed just now, and follows that one where they
   * contradict each other.
   *
   * @param asked what {@link #ask} said when it was asked
   * @param redisMicros microseconds since the epoch, from TIME
   * @return the epoch millisecond that counts: what is later is not due yet
   */
  default long check(long asked, long redisMicros) {
    observe(asked, redisMicros);
    return millis();
  }

  /**
   * The maximum by which Redis' clock may be ahead of {@link #instant}. What must not come too soon
   * after something that happens now, such as a retry, is counted from so much later.
   */
  Duration uncertainty();

  /**
   * The number of times Redis' clock was set by more than a second since this clock began: instants
   * from before say nothing of how long ago something was.
   */
  int steps();
}
