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
 * Jobs that are measured together, with when each was due, accepted and called. A job's id is
 * {@code <name>-<number>}, numbers count from 0. Written by event loops, read when all has come.
 * Instants are of {@link EpochMicros}.
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
   * @param due of each job
   */
  JobBatch(String name, int jobs, IntToLongFunction due) {
    this.name = name;
    this.due = due;
    this.arrivals = new AtomicLongArray(jobs);
    this.nominals = new AtomicLongArray(jobs);
    this.accepted = new AtomicLongArray(jobs);
  }

  /** Jobs whose due instant is not known before they are sent, or that have none. */
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
   * Notes a call.
   *
   * @param expected what the call says of its nominal instant
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

  /** Notes that the scheduler has answered the submission of a job. */
  void accepted(int index, long at) {
    accepted.set(index, at);
  }

  /** Whether a job was accepted so long before its instant. */
  boolean isAccepted(int index, long ahead) {
    return accepted.get(index) != 0 && accepted.get(index) <= due(index) - ahead;
  }

  long due(int index) {
    return due.applyAsLong(index);
  }

  /** When the job was called; 0 when it was not. */
  long arrival(int index) {
    return arrivals.get(index);
  }

  /** When the last new call came; 0 before the first. */
  long lastArrival() {
    return lastArrival.get();
  }

  int called() {
    return called.get();
  }

  int missing() {
    return size() - called();
  }

  /** Calls of jobs that had been called before. */
  int repeats() {
    return repeats.get();
  }

  /**
   * Calls whose nominal instant was not the one asked for, of jobs that were accepted before it.
   */
  int misdated() {
    return (int)
        IntStream.range(0, size())
            .filter(i -> isAccepted(i, 0) && arrival(i) != 0 && nominals.get(i) != due(i))
            .count();
  }

  /** Calls before their instant. */
  int early() {
    return lateness(job -> true).negative();
  }

  /** Microseconds between due and call, of the called jobs among these. */
  Percentiles lateness(IntPredicate jobs) {
    return Percentiles.of(
        IntStream.range(0, size())
            .filter(i -> arrival(i) != 0)
            .filter(jobs)
            .mapToLong(i -> arrival(i) - due(i))
            .toArray());
  }

  /** Calls per second between the first and the last. */
  double callsPerSecond() {
    long first =
        IntStream.range(0, size()).mapToLong(this::arrival).filter(at -> at != 0).min().orElse(0);
    long span = Math.max(1, lastArrival.get() - first);
    return (called() - 1) * (double) EpochMicros.PER_SECOND / span;
  }

  /** True when every job was called once, not early, with its own instant. */
  boolean isFlawless() {
    return missing() == 0 && repeats() == 0 && misdated() == 0 && early() == 0;
  }

  /** For the message when something was wrong. */
  @Override
  public String toString() {
    return "%s: %d jobs, %d never called, %d called again, %d early, %d with another instant"
        .formatted(name, size(), missing(), repeats(), early(), misdated());
  }
}
