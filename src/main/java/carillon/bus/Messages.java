package carillon.bus;

import carillon.flow.CallOutcome;
import carillon.job.Claim;
import carillon.job.Destination;
import carillon.job.HistoryEntry;
import carillon.job.JobDefinition;
import io.vertx.core.eventbus.EventBus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.IntSupplier;

/** The messages between verticles and their addresses. */
public final class Messages {
  /** Something in a partition is or will be due: api, dispatch -> timer. */
  public static final Channel<WakeUp> WAKE_UP = new Channel<>("partition.due", WakeUp.class);

  /** An attempt is claimed and to be made: timer -> one dispatcher. */
  public static final Channel<PlannedAttempt> ATTEMPT =
      new Channel<>("attempt.claimed", PlannedAttempt.class);

  /** An attempt is over, its place free: dispatch -> timer, and whoever watches. */
  public static final Channel<AttemptEnded> ENDED =
      new Channel<>("attempt.ended", AttemptEnded.class);

  /** Occurrences were not performed: timer -> whoever watches. */
  public static final Channel<Skipped> SKIPPED = new Channel<>("occurrence.skipped", Skipped.class);

  /**
   * A flow was written or deleted: api -> timer, which answers once it knows the flows as they are.
   */
  public static final Channel<FlowsChanged> FLOWS_CHANGED =
      new Channel<>("flows.changed", FlowsChanged.class);

  private static final Duration WAKE_UP_HORIZON = Duration.ofSeconds(1);

  private Messages() {}

  /**
   * Wake-up of the timer: it polls a partition at an instant.
   *
   * @param partition to poll
   * @param at when
   */
  public record WakeUp(int partition, Instant at) {}

  /**
   * A claimed attempt that is to be made. The definition travels by reference: reading it again
   * would cost a round trip.
   *
   * @param claim under which the attempt is held
   * @param leaseStamp of the node's lease when it was claimed
   * @param since when it was planned, epoch ms
   * @param name {@code collection/job} in the case they were given
   * @param definition as it was when the attempt was claimed
   * @param destination that the call connects to
   */
  public record PlannedAttempt(
      Claim claim,
      long leaseStamp,
      long since,
      String name,
      JobDefinition definition,
      Destination destination) {

    /** This attempt as it is handed out: under the claim as it stands now, with this definition. */
    public PlannedAttempt with(Claim now, JobDefinition traced) {
      return new PlannedAttempt(now, leaseStamp, since, name, traced, destination);
    }
  }

  /**
   * An attempt that is no longer in flight.
   *
   * @param claim under which it was held
   * @param name {@code collection/job} in the case they were given
   * @param entry as it stands in the history; empty when nothing was recorded
   * @param call what it tells of its destination; empty when it was not made
   */
  public record AttemptEnded(
      Claim claim, String name, Optional<HistoryEntry> entry, Optional<CallOutcome> call) {}

  /** So many occurrences that are not performed; the history says which, and why. */
  public record Skipped(long occurrences) {}

  /**
   * Flows are not as they were.
   *
   * @param flow key of the one that was written or deleted
   */
  public record FlowsChanged(String flow) {}

  /**
   * Tells the timer to poll a partition, if that is within a second. The node that polls the
   * partition first finds later entries by itself: it asks Redis twice a second.
   */
  public static void wakeUp(EventBus bus, IntSupplier partition, Instant at, Instant now) {
    if (at.isBefore(now.plus(WAKE_UP_HORIZON))) {
      WAKE_UP.toOne(bus, new WakeUp(partition.getAsInt(), at));
    }
  }

  /** Registers the messages with a Vert.x instance; to be called once for each. */
  public static void register(EventBus bus) {
    WAKE_UP.register(bus);
    ATTEMPT.register(bus);
    ENDED.register(bus);
    SKIPPED.register(bus);
    FLOWS_CHANGED.register(bus);
  }
}
