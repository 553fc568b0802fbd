package carillon.flow;

import carillon.job.Pause;
import carillon.job.WireWord;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Entry of the log of a flow: a change of its breaker or its pause.
 *
 * @param by the client, or the node that brought it about
 * @param reason of a change of the breaker, and of a pause that is over by itself
 * @param note of a pause, in the client's words
 * @param until when the breaker lets probes through, or the pause is over, if that is known
 */
public record FlowEvent(
    Instant at,
    What what,
    String by,
    Optional<FlowGrant.Reason> reason,
    Optional<String> note,
    Optional<Instant> until) {
  /** What happened. */
  public enum What implements WireWord {
    OPEN,
    HALF_OPEN,
    CLOSED,
    PAUSED,
    RESUMED,
    RESET
  }

  /** A change of the breaker that a node brought about. */
  public static FlowEvent ofBreaker(FlowGrant grant, FlowGrant.Reason reason, String node) {
    boolean isOpen = grant.breaker() == FlowGrant.BreakerState.OPEN;
    return new FlowEvent(
        Instant.ofEpochMilli(grant.at()),
        WireWord.of(What.class, grant.breaker().word()),
        node,
        Optional.of(reason),
        Optional.empty(),
        isOpen && grant.again() < FlowGrant.NEVER
            ? Optional.of(Instant.ofEpochMilli(grant.again()))
            : Optional.empty());
  }

  /** What a client did. */
  public static FlowEvent ofClient(
      Instant at, What what, String client, Optional<Flow.FlowPause> pause) {
    return new FlowEvent(
        at,
        what,
        client,
        Optional.empty(),
        pause.flatMap(Flow.FlowPause::note),
        pause.flatMap(Flow.FlowPause::until));
  }

  /**
   * The entries of a log with the ends of pauses that came by themselves, which nobody writes: the
   * entry of the pause says when it is over, unless another one of a client stands before that.
   *
   * @param stored the newest first, as the result is
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
        Optional.empty());
  }
}
