package carillon.redis;

import java.time.Duration;
import java.time.InstantSource;

/** The one clock of the system, as a node knows it. */
public interface SharedClock extends InstantSource {
  /** Redis is about to be asked for the time; what {@link #observe} is to be told. */
  long ask();

  /**
   * Tells what Redis' clock showed in an answer that has just arrived.
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
   * By how much Redis' clock may be ahead of {@link #instant}. What must not come too soon after
   * something that happens now, such as a retry, is counted from so much later.
   */
  Duration uncertainty();

  /**
   * How often Redis' clock was set by more than a second since this one began: instants from before
   * say nothing of how long ago something was.
   */
  int steps();
}
