package carillon.bus;

import carillon.flow.CallOutcome;
import carillon.job.JobDefinition;
import carillon.job.action.Destination;
import carillon.job.attempt.Claim;
import carillon.job.attempt.HistoryEntry;
import io.vertx.core.eventbus.EventBus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.IntSupplier;

/** The messages between verticles and their addresses. */
public final class Messages {
  /** An entry in a partition is or will be due: api, dispatch -> timer. */
  public static final Channel<WakeUp> WAKE_UP = new Channel<>("partition.due", WakeUp.class);

  /** An attempt is claimed and must be made: timer -> one dispatcher. */
  public static final Channel<PlannedAttempt> ATTEMPT =
      new Channel<>("attempt.claimed", PlannedAttempt.class);

  /** An attempt is over, its slot free: dispatch -> timer, and any observer. */
  public static final Channel<AttemptEnded> ENDED =
      new Channel<>("attempt.ended", AttemptEnded.class);

  /** Occurrences were skipped: timer -> any observer. */
  public static final Channel<Skipped> SKIPPED = new Channel<>("occurrence.skipped", Skipped.class);

  /**
   * A flow was written or deleted: api -> timer. The timer replies when it has read the flows
   * again.
   */
  public static final Channel<FlowsChanged> FLOWS_CHANGED =
      new Channel<>("flows.changed", FlowsChanged.class);

  private static final Duration WAKE_UP_HORIZON = Duration.ofSeconds(1);

  private Messages() {}

  /**
   * Wake-up of the timer, which polls a partition at an instant.
   *
   * @param partition to poll
   * @param at when
   */
  public record WakeUp(int partition, Instant at) {}

  /**
   * A claimed attempt to make. The definition is passed by reference, because reading it again
   * would cost a round trip.
   *
   * @param claim that holds the attempt
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

    /** Returns this attempt for dispatch, with its current claim and this definition. */
    public PlannedAttempt with(Claim now, JobDefinition traced) {
      return new PlannedAttempt(now, leaseStamp, since, name, traced, destination);
    }
  }

  /**
   * An attempt that is no longer in flight.
   *
   * @param claim that held it
   * @param name {@code collection/job} in the case they were given
   * @param entry of the history; empty when nothing was recorded
   * @param call outcome for the state of its destination; empty when no call was made
   */
  public record AttemptEnded(
      Claim claim, String name, Optional<HistoryEntry> entry, Optional<CallOutcome> call) {}

  /** Number of skipped occurrences. The history says which, and why. */
  public record Skipped(long occurrences) {}

  /**
   * Change of flows.
   *
   * @param flow key of the written or deleted flow
   */
  public record FlowsChanged(String flow) {}

  /**
   * Notifies the timer to poll a partition, if that is within a second. Later entries need no
   * message: each node asks Redis twice a second, and the first one to poll the partition finds
   * them.
   */
  public static void wakeUp(EventBus bus, IntSupplier partition, Instant at, Instant now) {
    if (at.isBefore(now.plus(WAKE_UP_HORIZON))) {
      WAKE_UP.toOne(bus, new WakeUp(partition.getAsInt(), at));
    }
  }

  /** Registers the messages with a Vert.x instance. Must be called once for each. */
  public static void register(EventBus bus) {
    WAKE_UP.register(bus);
    ATTEMPT.register(bus);
    ENDED.register(bus);
    SKIPPED.register(bus);
    FLOWS_CHANGED.register(bus);
  }
}
