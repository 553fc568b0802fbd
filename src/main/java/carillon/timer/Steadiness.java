package carillon.timer;

import carillon.redis.SharedClock;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Steadiness of this node's view of other nodes: how long Redis has answered its heartbeats without
 * a gap, by a clock that was not set. After an outage of Redis or a set clock, every node looks
 * dead for a while. Only a node that has seen a whole lease pass may judge. Confined to the timer's
 * event loop.
 */
final class Steadiness {
  private final SharedClock clock;
  private final LongSupplier monotonicNanos;
  private final Duration lease;
  private long since = Long.MAX_VALUE;
  private int steps;
  private long heard;

  /**
   * Creates the state of a node without heartbeats.
   *
   * @param lease at least three heartbeats: half of it without an answer is a gap
   */
  Steadiness(SharedClock clock, LongSupplier monotonicNanos, Duration lease) {
    this.clock = clock;
    this.monotonicNanos = monotonicNanos;
    this.lease = lease;
  }

  /**
   * Records the answer to a heartbeat.
   *
   * @param begun when it was sent, by the monotonic clock
   * @param asOf epoch ms of its view
   */
  void answered(long begun, long asOf) {
    since = isUnbroken() ? Math.min(since, asOf) : asOf;
    steps = clock.steps();
    heard = begun;
  }

  /** Records a failed heartbeat. */
  void failed() {
    since = Long.MAX_VALUE;
  }

  /** Whether this node may declare silent nodes dead now. */
  boolean mayJudge() {
    return mayJudge(clock.millis());
  }

  /**
   * Whether this node may declare nodes dead that were silent at this instant.
   *
   * @param now epoch ms
   */
  boolean mayJudge(long now) {
    return isUnbroken() && now - since >= lease.toMillis();
  }

  private boolean isUnbroken() {
    return steps == clock.steps()
        && monotonicNanos.getAsLong() - heard <= lease.dividedBy(2).toNanos();
  }
}
