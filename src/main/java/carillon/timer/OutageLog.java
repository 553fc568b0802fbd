package carillon.timer;

import carillon.redis.route.RedisErrors;
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
 * Logs outages of Redis as the timer of a node sees them: one line when its first step fails, and
 * one when heartbeat and claims succeed again. Outages of only some servers of a Cluster are
 * included. Steps that fail in between are logged at DEBUG. Also reports to {@link FailingSteps}.
 * Confined to the timer's event loop.
 */
final class OutageLog {
  private static final Logger LOG = LoggerFactory.getLogger(OutageLog.class);

  private final Lease lease;
  private final FailingSteps steps;
  private final IntPredicate polls;
  private final int heartbeat;
  private final BitSet failing = new BitSet(); // partitions, then the heartbeat
  private boolean isOutage;
  private long begun; // valid in an outage
  private long failures; // in the outage

  /**
   * Creates a log without an outage.
   *
   * @param polls whether this node claims in a partition; it gets no more answers from a partition
   *     that it has left to others since a claim failed
   */
  OutageLog(Lease lease, int partitions, IntPredicate polls) {
    this.lease = lease;
    this.steps = lease.failingSteps();
    this.polls = polls;
    this.heartbeat = partitions;
  }

  /** Returns the log level of a failed step, which may begin an outage. */
  Level level(Throwable failure) {
    if (!RedisErrors.isUnavailable(failure)) {
      return steps.isStalled() ? Level.DEBUG : Level.WARN;
    }
    failures++;
    if (!isOutage) {
      isOutage = true;
      begun = lease.nanoTime();
      LOG.atWarn()
          .addKeyValue("error", failure.getMessage())
          .log("Redis is unavailable, due attempts wait");
    }
    return Level.DEBUG;
  }

  /**
   * Returns the log level of a failed claim. The outage lasts until a claim in this partition
   * succeeds.
   */
  Level claimFailed(int partition, Throwable failure) {
    return failed(Step.CLAIM, partition, failure);
  }

  /** Returns the log level of a failed heartbeat. The outage lasts until a heartbeat succeeds. */
  Level heartbeatFailed(Throwable failure) {
    return failed(Step.HEARTBEAT, heartbeat, failure);
  }

  /** Returns the log level of a failed takeover from a dead node. */
  Level recoveryFailed(Throwable failure) {
    return failed(Step.RECOVERY, failure);
  }

  private Level failed(Step step, int place, Throwable failure) {
    if (RedisErrors.isUnavailable(failure)) {
      failing.set(place);
    }
    return failed(step, failure);
  }

  private Level failed(Step step, Throwable failure) {
    Level level = level(failure);
    steps.failed(step, failure);
    return level;
  }

  /** Records that Redis answered a claim in this partition. */
  void claimed(int partition) {
    steps.succeeded(Step.CLAIM);
    answered(partition);
  }

  /** Records that Redis answered a heartbeat. */
  void beaten() {
    steps.succeeded(Step.HEARTBEAT);
    answered(heartbeat);
  }

  /** Records that a takeover from a dead node succeeded or is not needed. */
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
