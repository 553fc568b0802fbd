package carillon.store.attempt;

import carillon.flow.FlowLane;
import java.util.Optional;

/**
 * Waiting list of a partition: the owner of attempts that wait for a cause, not for an instant.
 *
 * @param cause {@link WaitingCause#FLOW}, {@link WaitingCause#COLLECTION} or {@link
 *     WaitingCause#EXECUTION}
 * @param name key of a {@link FlowLane}, key of a disabled marker, or empty for executions
 */
public record WaitingList(WaitingCause cause, String name) {
  /** Attempts that wait for the end of other executions of their jobs. */
  public static final WaitingList EXECUTIONS = new WaitingList(WaitingCause.EXECUTION, "");

  /** Attempts that wait for tokens of a lane of a flow. */
  public static WaitingList ofFlow(FlowLane lane) {
    return new WaitingList(WaitingCause.FLOW, lane.key());
  }

  /**
   * Attempts that wait for the end of a pause.
   *
   * @param marker key of a collection, {@code subscription/group/*}, or {@code *}
   */
  public static WaitingList ofCollection(String marker) {
    return new WaitingList(WaitingCause.COLLECTION, marker);
  }

  /** Reads a {@link #key}. Empty if it names no list. */
  public static Optional<WaitingList> parse(String key) {
    if (key.equals(EXECUTIONS.key())) {
      return Optional.of(EXECUTIONS);
    }
    for (WaitingCause cause : new WaitingCause[] {WaitingCause.FLOW, WaitingCause.COLLECTION}) {
      String prefix = cause.word() + ":";
      if (key.startsWith(prefix)) {
        return Optional.of(new WaitingList(cause, key.substring(prefix.length())));
      }
    }
    return Optional.empty();
  }

  /** Returns the list's name in Redis: {@code flow:<lane>}, {@code collection:<marker>}. */
  public String key() {
    return name.isEmpty() ? cause.word() : cause.word() + ":" + name;
  }

  /** Returns the lane of the flow that its attempts wait for. */
  public FlowLane lane() {
    return FlowLane.parse(name);
  }
}
