package carillon.timer;

import carillon.redis.RedisLink;
import carillon.store.attempt.FailingSteps;
import carillon.store.attempt.FailingSteps.Step;
import carillon.store.attempt.Lease;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.BitSet;
import java.util.function.IntPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Log of outages of Redis as the timer of a node meets them: a line when the first of its steps
 * fails, and one when heartbeat and claims succeed again, also where only some servers of a Cluster
 * were away. The steps that fail in between have lines at DEBUG. It reports to {@link
 * FailingSteps}, too. Confined to the timer's event loop.
 */
final class OutageLog {
  private static final Logger LOG = LoggerFactory.getLogger(OutageLog.class);

  private final Lease lease;
  private final FailingSteps steps;
  private final IntPredicate polls;
  private final int heartbeat;
  private final BitSet failing = new BitSet(); // partitions, and the heartbeat behind them
  private boolean isOutage;
  private long begun; // meaningful in an outage
  private long failures; // in the outage

  /**
   * No outage.
   *
   * @param polls whether this node claims in a partition: one that it has left to others since a
   *     claim there failed answers it no more
   */
  OutageLog(Lease lease, int partitions, IntPredicate polls) {
    this.lease = lease;
    this.steps = lease.failingSteps();
    this.polls = polls;
    this.heartbeat = partitions;
  }

  /** The level for the line of a step that failed; an outage may begin with it. */
  Level level(Throwable failure) {
    if (!RedisLink.isUnavailable(failure)) {
      return steps.isStalled() ? Level.DEBUG : Level.WARN;
    }
    failures++;
    if (!isOutage) {
      isOutage = true;
      begun = lease.nanoTime();
      LOG.atWarn()
          .addKeyValue("error", failure.getMessage())
          .log("Redis is unavailable, what is due waits");
    }
    return Level.DEBUG;
  }

  /** The level for a claim that failed; the outage lasts until one succeeds in this partition. */
  Level claimFailed(int partition, Throwable failure) {
    return failed(Step.CLAIM, partition, failure);
  }

  /** The level for a heartbeat that failed; the outage lasts until one succeeds. */
  Level heartbeatFailed(Throwable failure) {
    return failed(Step.HEARTBEAT, heartbeat, failure);
  }

  /** The level for a takeover from a dead node that failed. */
  Level recoveryFailed(Throwable failure) {
    return failed(Step.RECOVERY, failure);
  }

  private Level failed(Step step, int place, Throwable failure) {
    if (RedisLink.isUnavailable(failure)) {
      failing.set(place);
    }
    return failed(step, failure);
  }

  private Level failed(Step step, Throwable failure) {
    Level level = level(failure);
    steps.failed(step, failure);
    return level;
  }

  /** Redis has answered a claim in this partition. */
  void claimed(int partition) {
    steps.succeeded(Step.CLAIM);
    answered(partition);
  }

  /** Redis has answered a heartbeat. */
  void beaten() {
    steps.succeeded(Step.HEARTBEAT);
    answered(heartbeat);
  }

  /** Redis has answered a takeover from a dead node, or there is nothing to take over. */
  void recovered() {
    steps.succeeded(Step.RECOVERY);
  }

  private Duration lasted() {
    return Duration.ofNanos(lease.nanoTime() - begun).truncatedTo(ChronoUnit.MILLIS);
  }

  private void answered(int place) {
    if (!isOutage) {
      return;
    }
    failing.clear(place);
    if (failing.stream().noneMatch(failed -> failed == heartbeat || polls.test(failed))) {
      failing.clear();
      isOutage = false;
      LOG.atInfo()
          .addKeyValue("lasted", lasted())
          .addKeyValue("failures", failures)
          .log("Redis is available again");
      failures = 0;
    }
  }
}
