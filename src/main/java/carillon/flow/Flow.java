package carillon.flow;

import carillon.job.Pause;
import java.time.Instant;
import java.util.Optional;

/**
 * Stored flow.
 *
 * @param pause stop of its calls by a client, if there is one
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
   * @param since instant of the request
   * @param by the client
   * @param note reason in the client's words
   * @param until when the calls resume automatically; absent if only a client resumes them
   */
  public record FlowPause(
      Instant since, String by, Optional<String> note, Optional<Instant> until) {}

  /**
   * Substitute for a flow whose record cannot be read. It stops the calls that name it until the
   * flow is put again.
   */
  public static Flow unreadable(FlowName name) {
    FlowPause pause =
        new FlowPause(
            Instant.EPOCH,
            Pause.PROGRAM,
            Optional.of("The stored flow cannot be read: put it again"),
            Optional.empty());
    return new Flow(
        name, FlowDefinition.UNLIMITED, Optional.of(pause), 0, Instant.EPOCH, Instant.EPOCH);
  }

  /** The same with another definition. */
  public Flow with(FlowDefinition other) {
    return new Flow(name, other, pause, revision, created, modified);
  }

  /** Whether its calls are stopped by a client now. */
  public boolean isPaused(Instant now) {
    return pause
        .filter(pause -> pause.until().filter(end -> !now.isBefore(end)).isEmpty())
        .isPresent();
  }

  /** Returns the flow at this instant: without a pause that is over. */
  public Flow at(Instant now) {
    return pause.isEmpty() || isPaused(now)
        ? this
        : new Flow(name, definition, Optional.empty(), revision, created, modified);
  }
}
