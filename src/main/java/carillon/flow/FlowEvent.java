package carillon.flow;

import carillon.job.Pause;
import carillon.job.name.WireWord;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Entry of the log of a flow: a change of its breaker or its pause.
 *
 * @param by the client, or the node that caused it
 * @param reason of a change of the breaker, and of the automatic end of a pause
 * @param destination of the breaker; empty for events of the whole flow
 * @param note of a pause, in the client's words
 * @param until when the breaker lets probes through, or the pause is over, if that is known
 */
public record FlowEvent(
    Instant at,
    What what,
    String by,
    Optional<FlowGrant.Reason> reason,
    Optional<String> destination,
    Optional<String> note,
    Optional<Instant> until) {
  /** The same without the name of a destination. */
  public FlowEvent withoutDestination() {
    return new FlowEvent(at, what, by, reason, Optional.empty(), note, until);
  }

  /** Kind of event. */
  public enum What implements WireWord {
    OPEN,
    HALF_OPEN,
    CLOSED,
    PAUSED,
    RESUMED,
    RESET
  }

  /** A change of the breaker that a node brought about. */
  public static FlowEvent ofBreaker(
      FlowGrant grant, FlowGrant.Reason reason, String node, FlowLane lane) {
    boolean isOpen = grant.breaker() == FlowGrant.BreakerState.OPEN;
    return new FlowEvent(
        Instant.ofEpochMilli(grant.at()),
        WireWord.of(What.class, grant.breaker().word()),
        node,
        Optional.of(reason),
        Optional.of(lane.authority()).filter(authority -> !authority.isEmpty()),
        Optional.empty(),
        isOpen && grant.again() < FlowGrant.NEVER
            ? Optional.of(Instant.ofEpochMilli(grant.again()))
            : Optional.empty());
  }

  /** Returns the event of an action by a client. */
  public static FlowEvent ofClient(
      Instant at, What what, String client, Optional<Flow.FlowPause> pause) {
    return new FlowEvent(
        at,
        what,
        client,
        Optional.empty(),
        Optional.empty(),
        pause.flatMap(Flow.FlowPause::note),
        pause.flatMap(Flow.FlowPause::until));
  }

  /**
   * Returns the entries of a log, with the automatic ends of pauses. Nobody writes those ends. The
   * entry of the pause has its end, unless an earlier event of a client ended it.
   *
   * @param stored newest first, like the result
   */
  public static List<FlowEvent> withTimedEnds(List<FlowEvent> stored, Instant now) {
    Deque<FlowEvent> told = new ArrayDeque<>();
    Optional<FlowEvent> end = Optional.empty();
    for (int i = stored.size() - 1; i >= 0; i--) {
      FlowEvent event = stored.get(i);
      if (end.filter(over -> !over.at.isAfter(event.at)).isPresent()) {
        told.addFirst(end.get());
        end = Optional.empty();
      }
      if (event.what == What.PAUSED) {
        end = event.until.map(FlowEvent::ofTimedEnd);
      } else if (event.what == What.RESUMED) {
        end = Optional.empty();
      }
      told.addFirst(event);
    }
    end.filter(over -> !over.at.isAfter(now)).ifPresent(told::addFirst);
    return List.copyOf(told);
  }

  private static FlowEvent ofTimedEnd(Instant at) {
    return new FlowEvent(
        at,
        What.RESUMED,
        Pause.PROGRAM,
        Optional.of(FlowGrant.Reason.PAUSE_OVER),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
