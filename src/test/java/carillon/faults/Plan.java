package carillon.faults;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Instants at which a job is due, by the suite's own arithmetic: {@code first + k * every} for
 * {@code k < count}.
 *
 * @param first instant of the first occurrence
 * @param every distance between two occurrences; zero for a job with a single one
 * @param count number of occurrences; 0 for a deleted or disabled job
 * @param target how the target answers the calls
 */
record Plan(Instant first, Duration every, int count, Behaviour target) {
  /** Plan without occurrences. */
  static final Plan NOTHING = new Plan(Instant.EPOCH, Duration.ZERO, 0, Behaviour.SUCCEEDS);

  /** Plan of a deleted job: no occurrences, and no history. */
  static final Plan DELETED = new Plan(Instant.MIN, Duration.ZERO, 0, Behaviour.SUCCEEDS);

  /** Attempts of an occurrence whose target always fails: the first and two retries. */
  static final int ATTEMPTS = 3;

  /** Pause before a retry. */
  static final Duration RETRY = Duration.ofSeconds(1);

  /** Answers of a job's target. */
  enum Behaviour {
    /** Answers 200: one call for each occurrence. */
    SUCCEEDS,
    /** Answers 500: {@link #ATTEMPTS} calls for each occurrence. */
    FAILS,
    /** Cannot always be reached: any number of calls, but none after one that succeeded. */
    TROUBLED
  }

  static Plan once(Instant at) {
    return new Plan(at, Duration.ZERO, 1, Behaviour.SUCCEEDS);
  }

  static Plan every(Duration every, Instant first, int count) {
    return new Plan(first, every, count, Behaviour.SUCCEEDS);
  }

  Plan with(Behaviour behaviour) {
    return new Plan(first, every, count, behaviour);
  }

  /** Whether there is a single occurrence. */
  boolean isOnce() {
    return every.isZero() && count == 1;
  }

  /** All occurrences. */
  List<Instant> occurrences() {
    return IntStream.range(0, count).mapToObj(k -> first.plus(every.multipliedBy(k))).toList();
  }

  /** Whether this instant is an occurrence. */
  boolean contains(Instant instant) {
    if (every.isZero()) {
      return isOnce() && instant.equals(first);
    }
    long after = Duration.between(first, instant).toNanos();
    return after >= 0 && after % every.toNanos() == 0 && after / every.toNanos() < count;
  }

  /** Returns {@code number} occurrences from {@code start} on. */
  List<Instant> from(Instant start, long number) {
    return LongStream.range(0, number).mapToObj(k -> start.plus(every.multipliedBy(k))).toList();
  }
}
