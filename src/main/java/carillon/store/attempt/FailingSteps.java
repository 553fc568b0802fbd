package carillon.store.attempt;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Failing steps of a node. A node is stalled if one of them has failed and has not succeeded for a
 * whole lease. The log reports the begin and the end of that. Thread-safe: the timer and the
 * dispatchers report the steps, the API asks whether the node is stalled.
 */
public final class FailingSteps {
  private static final Logger LOG = LoggerFactory.getLogger(FailingSteps.class);

  /** Steps that every job, or every takeover from a failed node, depends on. */
  public enum Step {
    HEARTBEAT("send a heartbeat"),
    CLAIM("claim jobs"),
    RECOVERY("take over the claims of a failed node"),
    RECORD("record the results of calls");

    private final String text;

    Step(String text) {
      this.text = text;
    }
  }

  /**
   * Last result of a step.
   *
   * @param succeeded monotonic time of the last success
   * @param failure message of the last failure since then; empty if there was none
   */
  private record StepResult(long succeeded, String failure) {}

  private final LongSupplier monotonicNanos;
  private final Duration lease;
  private final Map<Step, StepResult> results = new ConcurrentHashMap<>();
  private boolean isLogged;
  private int stuckRecords;

  FailingSteps(LongSupplier monotonicNanos, Duration lease) {
    this.monotonicNanos = monotonicNanos;
    this.lease = lease;
    for (Step step : Step.values()) {
      results.put(step, new StepResult(monotonicNanos.getAsLong(), ""));
    }
  }

  /** Records a success, or that there was nothing to do. */
  public synchronized void succeeded(Step step) {
    results.put(step, new StepResult(monotonicNanos.getAsLong(), ""));
    if (isLogged && !isStalled()) {
      isLogged = false;
      LOG.atInfo().log("this node runs jobs again and accepts changes");
    }
  }

  public synchronized void failed(Step step, Throwable failure) {
    failed(step, results.get(step).succeeded, failure);
  }

  private void failed(Step step, long succeeded, Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    results.put(step, new StepResult(succeeded, message));
    if (!isLogged && isStalled(step)) {
      isLogged = true;
      LOG.atError()
          .addKeyValue("error", message)
          .log("{} It refuses changes until it can.", reason(step));
    }
  }

  /**
   * Record of the result of one call, which is tried until it succeeds. {@link Step#RECORD} fails
   * while any of them has failed for a whole lease: results of other jobs may still be recorded.
   */
  final class ResultRecord {
    private boolean hasFailed;
    private boolean isStuck;
    private long since; // meaningful once it has failed

    /** Records that a try has failed; another one follows. */
    void failed(Throwable failure) {
      synchronized (FailingSteps.this) {
        long now = monotonicNanos.getAsLong();
        if (!hasFailed) {
          hasFailed = true;
          since = now;
        }
        if (now - since >= lease.toNanos()) {
          stuckRecords += isStuck ? 0 : 1;
          isStuck = true;
          FailingSteps.this.failed(Step.RECORD, since, failure);
        }
      }
    }

    /** Records that no more tries follow. */
    void ended() {
      synchronized (FailingSteps.this) {
        if (isStuck && --stuckRecords == 0) {
          succeeded(Step.RECORD);
        }
      }
    }
  }

  /** Whether this node cannot do its work. */
  public boolean isStalled() {
    return Arrays.stream(Step.values()).anyMatch(this::isStalled);
  }

  /** Returns a sentence on the first step that stalls this node; empty if none does. */
  public Optional<String> reason() {
    return Arrays.stream(Step.values()).filter(this::isStalled).findFirst().map(this::reason);
  }

  /** Returns the same sentence with the last failure, for this step; empty if it does not stall. */
  public Optional<String> cause(Step step) {
    return isStalled(step)
        ? Optional.of(reason(step) + " " + failure(step).orElse(""))
        : Optional.empty();
  }

  /** Returns the last failure of a step since its last success. */
  public Optional<String> failure(Step step) {
    return Optional.of(results.get(step).failure).filter(message -> !message.isEmpty());
  }

  private boolean isStalled(Step step) {
    StepResult last = results.get(step);
    return !last.failure.isEmpty()
        && monotonicNanos.getAsLong() - last.succeeded >= lease.toNanos();
  }

  private String reason(Step step) {
    return "This node could not "
        + step.text
        + " for longer than its lease of "
        + lease.toSeconds()
        + " s (node.lease).";
  }
}
