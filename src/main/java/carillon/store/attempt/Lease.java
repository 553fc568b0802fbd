package carillon.store.attempt;

import carillon.bounded.LruMap;
import carillon.job.Attempt;
import carillon.job.collection.PauseScope;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Lease: this node's right to send calls. It ends when the heartbeat was not renewed in time, by
 * the monotonic clock, because by then others may have taken the node's claims over. Thread-safe:
 * the timer renews, the dispatchers ask.
 *
 * <p>Claims bear the stamp of the lease under which they were made: a number that rises whenever
 * the lease begins anew after it ran out, and whenever calls are recalled. What was claimed before
 * the lease began must not be sent, since others may have taken it over; what was claimed before it
 * was recalled is given back.
 */
public final class Lease {
  /** Of so many jobs and collections it is remembered that their calls were recalled. */
  private static final int REMEMBERED = 10_000;

  private final LongSupplier monotonicNanos;
  private final long validNanos;
  private final FailingSteps failingSteps;
  private final AtomicLong stamps = new AtomicLong();
  private final Map<String, Long> recalled = new LruMap<>(REMEMBERED);
  private volatile Term term = NONE;
  private volatile long lastRecall;

  /**
   * A time in which the lease did not run out. One value, so that nobody sees a new instant with an
   * old beginning.
   */
  private record Term(long from, long renewed) {}

  private static final Term NONE = new Term(0, Long.MIN_VALUE);

  /**
   * A lease that is not held until the first heartbeat.
   *
   * @param monotonicNanos {@code System::nanoTime} outside tests
   * @param length after which the others take a silent node for dead
   * @param margin by which this node is quicker to give itself up
   */
  public Lease(LongSupplier monotonicNanos, Duration length, Duration margin) {
    this.monotonicNanos = monotonicNanos;
    this.validNanos = length.minus(margin).toNanos();
    this.failingSteps = new FailingSteps(monotonicNanos, length);
  }

  /**
   * What the clock of the lease shows, nanoseconds: of a heartbeat that is about to be sent, to be
   * passed to {@link #renew} when it has been confirmed.
   */
  public long nanoTime() {
    return monotonicNanos.getAsLong();
  }

  /** Returns the steps of the node that fail, judged by the length of the lease. */
  public FailingSteps failingSteps() {
    return failingSteps;
  }

  /** A heartbeat that was sent at {@code begun} has reached Redis. */
  public void renew(long begun) {
    Term before = term;
    term = new Term(isRunning(before) ? before.from : stamps.incrementAndGet(), begun);
  }

  /** Ends the lease at once, until the next heartbeat. */
  public void revoke() {
    term = NONE;
  }

  /** Whether the node may claim. */
  public boolean isHeld() {
    return isRunning(term);
  }

  /** Whether a call may be sent now that was claimed under this stamp. */
  public boolean isHeld(long stamp) {
    Term now = term;
    return now.from <= stamp && isRunning(now);
  }

  /** The current stamp, for what is claimed from now on. */
  public long stamp() {
    return stamps.get();
  }

  /**
   * No call is to be sent any more that was claimed until now.
   *
   * @param key of the job, or of the collection whose jobs they are
   */
  public void recall(String key) {
    synchronized (recalled) {
      lastRecall = stamps.incrementAndGet();
      recalled.put(key, lastRecall);
    }
  }

  /** Whether this attempt, claimed under this stamp, was recalled since. */
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
