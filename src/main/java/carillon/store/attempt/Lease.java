package carillon.store.attempt;

import carillon.bounded.LruMap;
import carillon.job.attempt.Attempt;
import carillon.job.collection.PauseScope;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Lease: this node's right to send calls. It ends if the heartbeat is not renewed in time by the
 * monotonic clock, because other nodes may then take over the node's claims. Thread-safe: the timer
 * renews, the dispatchers ask.
 *
 * <p>Each claim carries the stamp of its lease. The stamp is a number that rises when an expired
 * lease begins again, and when calls are recalled. Claims from before the lease must not be sent,
 * because other nodes may have taken them over. Recalled claims are given back.
 */
public final class Lease {
  /** Maximum number of jobs and collections whose recall is remembered. */
  private static final int REMEMBERED = 10_000;

  private final LongSupplier monotonicNanos;
  private final long validNanos;
  private final FailingSteps failingSteps;
  private final AtomicLong stamps = new AtomicLong();
  private final Map<String, Long> recalled = new LruMap<>(REMEMBERED);
  private volatile Term term = NONE;
  private volatile long lastRecall;

  /**
   * A period in which the lease did not expire. It is one value, so that no thread sees a new
   * {@code renewed} with an old {@code from}.
   */
  private record Term(long from, long renewed) {}

  private static final Term NONE = new Term(0, Long.MIN_VALUE);

  /**
   * Creates a lease that is not held until the first heartbeat.
   *
   * @param monotonicNanos {@code System::nanoTime} outside tests
   * @param length time after which other nodes count a silent node as dead
   * @param margin time by which this node gives itself up earlier
   */
  public Lease(LongSupplier monotonicNanos, Duration length, Duration margin) {
    this.monotonicNanos = monotonicNanos;
    this.validNanos = length.minus(margin).toNanos();
    this.failingSteps = new FailingSteps(monotonicNanos, length);
  }

  /**
   * Returns the time of the lease's clock in nanoseconds. Read it before you send a heartbeat, and
   * pass it to {@link #renew} after the confirmation.
   */
  public long nanoTime() {
    return monotonicNanos.getAsLong();
  }

  /** Returns the record of failing steps, with the length of the lease as its limit. */
  public FailingSteps failingSteps() {
    return failingSteps;
  }

  /**
   * Renews the lease. Call it when a heartbeat that was sent at {@code begun} has reached Redis.
   */
  public void renew(long begun) {
    Term before = term;
    term = new Term(isRunning(before) ? before.from : stamps.incrementAndGet(), begun);
  }

  /** Ends the lease immediately, until the next heartbeat. */
  public void revoke() {
    term = NONE;
  }

  /** Whether the node may claim. */
  public boolean isHeld() {
    return isRunning(term);
  }

  /** Whether a call that was claimed under this stamp may be sent now. */
  public boolean isHeld(long stamp) {
    Term now = term;
    return now.from <= stamp && isRunning(now);
  }

  /** Returns the current stamp, for new claims. */
  public long stamp() {
    return stamps.get();
  }

  /**
   * Forbids all calls of a job or collection that were claimed until now.
   *
   * @param key key of the job, the collection or a wider scope
   */
  public void recall(String key) {
    synchronized (recalled) {
      lastRecall = stamps.incrementAndGet();
      recalled.put(key, lastRecall);
    }
  }

  /** Whether this attempt was recalled after its claim under this stamp. */
  public boolean isRecalled(Attempt attempt, long stamp) {
    if (lastRecall <= stamp) {
      return false;
    }
    synchronized (recalled) {
      return recalled.getOrDefault(attempt.job(), 0L) > stamp
          || PauseScope.markers(attempt.collection()).stream()
              .anyMatch(key -> recalled.getOrDefault(key, 0L) > stamp);
    }
  }

  private boolean isRunning(Term some) {
    return some.from > 0 && monotonicNanos.getAsLong() - some.renewed < validNanos;
  }
}
