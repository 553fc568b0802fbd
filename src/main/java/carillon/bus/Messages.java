package carillon.bus;

import carillon.job.Attempt;
import carillon.job.Claim;
import carillon.job.HistoryEntry;
import carillon.job.JobDefinition;
import io.vertx.core.eventbus.EventBus;
import java.time.Duration;
import java.time.Instant;
import java.util.function.IntSupplier;

/** Every message and its address. */
public final class Messages {
  /** Something in a partition is or will be due: api, dispatch -> timer. */
  public static final Channel<WakeUp> LOOK = new Channel<>("partition.armed", WakeUp.class);

  /** An attempt is claimed and to be made: timer -> one dispatcher. */
  public static final Channel<Dispatch> ATTEMPT = new Channel<>("attempt.claimed", Dispatch.class);

  /** An attempt is over, its slot free: dispatch -> timer. */
  public static final Channel<AttemptEnded> ENDED =
      new Channel<>("attempt.ended", AttemptEnded.class);

  /** An attempt is over and recorded: dispatch -> whoever watches. */
  public static final Channel<AttemptFinished> FINISHED =
      new Channel<>("attempt.finished", AttemptFinished.class);

  private static final Duration SOON = Duration.ofSeconds(1);

  private Messages() {}

  /**
   * Look at a partition at an instant.
   *
   * @param partition to look at
   * @param at when
   */
  public record WakeUp(int partition, Instant at) {}

  /**
   * The definition travels by reference: reading it again would cost a round trip.
   *
   * @param claim of the run
   * @param moment of the node's lease at which it was claimed
   * @param name {@code collection/job} in the case they were given
   * @param definition as it was when the run was claimed
   */
  public record Dispatch(Claim claim, long moment, String name, JobDefinition definition) {}

  /**
   * A run is over.
   *
   * @param claim that is no longer held
   */
  public record AttemptEnded(Claim claim) {}

  /**
   * News for whoever looks on; nothing depends on it.
   *
   * @param attempt the attempt
   * @param name {@code collection/job} in the case they were given
   * @param entry as it stands in the history
   */
  public record AttemptFinished(Attempt attempt, String name, HistoryEntry entry) {}

  /**
   * Tells the timer to look at a partition, if that is soon. What is due later the node that looks
   * at the partition first finds by itself, since it asks twice a second.
   */
  public static void look(EventBus bus, IntSupplier partition, Instant at, Instant now) {
    if (at.isBefore(now.plus(SOON))) {
      LOOK.toOne(bus, new WakeUp(partition.getAsInt(), at));
    }
  }

  /** Makes the messages known to a Vert.x instance; once for each. */
  public static void register(EventBus bus) {
    LOOK.register(bus);
    ATTEMPT.register(bus);
    ENDED.register(bus);
    FINISHED.register(bus);
  }
}
