package carillon.benchmark;

import carillon.load.EpochMicros;
import carillon.load.Percentiles;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * Jobs measured together, with the instants at which each was due, accepted and called. The id of a
 * job is {@code <name>-<number>}, with numbers from 0. Written by event loops, read after all
 * calls. Instants are in {@link EpochMicros}.
 */
final class JobBatch {
  private final String name;
  private final IntToLongFunction due;
  private final AtomicLongArray arrivals;
  private final AtomicLongArray nominals;
  private final AtomicLongArray accepted;
  private final AtomicInteger called = new AtomicInteger();
  private final AtomicInteger repeats = new AtomicInteger();
  private final AtomicLong lastArrival = new AtomicLong();

  /**
   * @param due due instant of each job
   */
  JobBatch(String name, int jobs, IntToLongFunction due) {
    this.name = name;
    this.due = due;
    this.arrivals = new AtomicLongArray(jobs);
    this.nominals = new AtomicLongArray(jobs);
    this.accepted = new AtomicLongArray(jobs);
  }

  /**
   * Returns a batch of jobs without a due instant, or with one that is unknown before they are
   * sent.
   */
  static JobBatch undated(String name, int jobs) {
    return new JobBatch(name, jobs, index -> 0);
  }

  String name() {
    return name;
  }

  String id(int index) {
    return name + "-" + index;
  }

  int size() {
    return arrivals.length();
  }

  /**
   * Records a call.
   *
   * @param expected nominal instant named by the call; null when it names none
   */
  void called(int index, long at, String expected) {
    if (!arrivals.compareAndSet(index, 0, at)) {
      repeats.incrementAndGet();
      return;
    }
    if (expected != null) {
      nominals.set(index, EpochMicros.of(Instant.parse(expected)));
    }
    lastArrival.accumulateAndGet(at, Math::max);
    called.incrementAndGet();
  }

  /** Records that the scheduler has answered the submission of a job. */
  void accepted(int index, long at) {
    accepted.set(index, at);
  }

  /** Whether a job was accepted at least this long before its instant. */
  boolean isAccepted(int index, long ahead) {
    return accepted.get(index) != 0 && accepted.get(index) <= due(index) - ahead;
  }

  long due(int index) {
    return due.applyAsLong(index);
  }

  /** Returns the instant of the first call of the job, or 0 when it was not called. */
  long arrival(int index) {
    return arrivals.get(index);
  }

  /** Returns the instant of the last call that was not a repeat, or 0 before the first. */
  long lastArrival() {
    return lastArrival.get();
  }

  int called() {
    return called.get();
  }

  int missing() {
    return size() - called();
  }

  /** Returns the number of calls of jobs that had been called before. */
  int repeats() {
    return repeats.get();
  }

  /**
   * Returns the number of calls with a nominal instant other than the requested one. Counts only
   * jobs that were accepted before their instant.
   */
  int misdated() {
    return (int)
        IntStream.range(0, size())
            .filter(i -> isAccepted(i, 0) && arrival(i) != 0 && nominals.get(i) != due(i))
            .count();
  }

  /** Returns the number of calls before their instant. */
  int early() {
    return lateness(job -> true).negative();
  }

  /**
   * Returns the microseconds from the due instant to the call, for the called jobs among {@code
   * jobs}.
   */
  Percentiles lateness(IntPredicate jobs) {
    return Percentiles.of(
        IntStream.range(0, size())
            .filter(i -> arrival(i) != 0)
            .filter(jobs)
            .mapToLong(i -> arrival(i) - due(i))
            .toArray());
  }

  /** Returns the calls per second between the first call and the last. */
  double callsPerSecond() {
    long first =
        IntStream.range(0, size()).mapToLong(this::arrival).filter(at -> at != 0).min().orElse(0);
    long span = Math.max(1, lastArrival.get() - first);
    return (called() - 1) * (double) EpochMicros.PER_SECOND / span;
  }

  /** Whether every job was called exactly once, not early, and with its own instant. */
  boolean isFlawless() {
    return missing() == 0 && repeats() == 0 && misdated() == 0 && early() == 0;
  }

  /** Returns the counts for the message about a flawed batch. */
  @Override
  public String toString() {
    return "%s: %d jobs, %d never called, %d called again, %d early, %d with another instant"
        .formatted(name, size(), missing(), repeats(), early(), misdated());
  }
}
