package carillon.store;

import java.time.InstantSource;

/** The one clock of the system, as a node knows it. */
public interface TimeKeeper extends InstantSource {
  /**
   * Tells what Redis' clock showed in an answer that has just arrived.
   *
   * @param redisMicros microseconds since the epoch, from TIME
   */
  void observe(long redisMicros);
}
