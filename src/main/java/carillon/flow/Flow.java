package carillon.flow;

import java.time.Instant;
import java.util.Optional;

/**
 * A flow as it is stored.
 *
 * @param pause who stopped its calls, if somebody did
 * @param revision changes with every write; the ETag
 * @param created when it was first put
 * @param modified when it was last written
 */
public record Flow(
    FlowName name,
    FlowDefinition definition,
    Optional<FlowPause> pause,
    long revision,
    Instant created,
    Instant modified) {

  /**
   * Stop of all calls of a flow by a client.
   *
   * @param since when it was asked for
   * @param by the client
   * @param note why, in the client's words
   * @param until when the calls go on by themselves; absent until a client resumes them
   */
  public record FlowPause(
      Instant since, String by, Optional<String> note, Optional<Instant> until) {}

  /** Whether its calls are stopped by a client now. */
  public boolean isPaused(Instant now) {
    return pause
        .filter(pause -> pause.until().filter(end -> !now.isBefore(end)).isEmpty())
        .isPresent();
  }

  /** The flow as it is now: without a pause that is over. */
  public Flow at(Instant now) {
    return pause.isEmpty() || isPaused(now)
        ? this
        : new Flow(name, definition, Optional.empty(), revision, created, modified);
  }
}
