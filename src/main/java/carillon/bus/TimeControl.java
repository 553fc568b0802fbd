package carillon.bus;

import carillon.bus.Messages.AttemptEnded;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Control of a virtual clock, for the parts that answer clients. Thread-safe. */
public interface TimeControl {
  /** Time of the clock. */
  Instant now();

  /** The earliest due instant; empty if nothing is due later. */
  Future<Optional<Instant>> nextDue();

  /**
   * Sets the clock forward, and performs everything due until then.
   *
   * @param target computes the instant from the time of the clock
   * @param maxAttempts number of attempts after which it stops early, when everything due at that
   *     instant is done
   * @return fails with a conflict while another advance is under way
   */
  Future<Advance> advance(UnaryOperator<Instant> target, int maxAttempts);

  /**
   * Result of an advance.
   *
   * @param now time of the clock
   * @param isTruncated whether it stopped early, as there were too many attempts
   * @param skipped number of skipped occurrences
   * @param log every attempt, by instant, job and attempt
   */
  record Advance(Instant now, boolean isTruncated, long skipped, List<AttemptEnded> log) {
    public Advance {
      log = List.copyOf(log);
    }
  }
}
