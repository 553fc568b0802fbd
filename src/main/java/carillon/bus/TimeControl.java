package carillon.bus;

import carillon.bus.Messages.AttemptEnded;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Control of a virtual clock, for whoever answers clients. Thread-safe. */
public interface TimeControl {
  /** Where the clock stands. */
  Instant now();

  /** The earliest instant at which something is due; empty where nothing is. */
  Future<Optional<Instant>> nextDue();

  /**
   * Sets the clock forward, through all that is due until then.
   *
   * @param target computes the instant from where the clock stands
   * @param maxAttempts after so many it stops early, when all that is due at that instant is done
   * @return fails with a conflict while another one is under way
   */
  Future<Advance> advance(UnaryOperator<Instant> target, int maxAttempts);

  /**
   * What an advance brought about.
   *
   * @param now where the clock stands
   * @param isTruncated whether it stopped early, as there were too many attempts
   * @param skipped how many occurrences were not performed
   * @param log every attempt, by instant, job and attempt
   */
  record Advance(Instant now, boolean isTruncated, long skipped, List<AttemptEnded> log) {
    public Advance {
      log = List.copyOf(log);
    }
  }
}
