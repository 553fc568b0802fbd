package carillon.json.action;

import carillon.job.JobDefinition;
import carillon.job.action.Action;
import carillon.job.action.Authentication;
import carillon.job.action.Destination;
import carillon.job.action.HttpCall;
import carillon.job.name.JobException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Policy of the deployment for the addresses that jobs may call, as far as it can be checked
 * without a DNS look-up.
 */
@FunctionalInterface
public interface TargetPolicy {
  /** Policy without rules: the call itself checks its target. */
  TargetPolicy NONE = (host, port) -> Optional.empty();

  /** Returns an objection to a target, for the client; empty if there is none. */
  Optional<String> objection(String host, int port);

  /** Called once for each submission that was refused because of a target. */
  default void refused() {}

  /**
   * Refuses with INVALID a definition that calls a forbidden target.
   *
   * @param known targets that the job called before; only the call checks them
   */
  default void check(JobDefinition definition, List<Destination> known) {
    check("action", definition.action(), known);
    definition.errorAction().ifPresent(action -> check("action.errorAction", action, known));
  }

  private void check(String place, Action action, List<Destination> known) {
    boolean isHttp = action.call() instanceof HttpCall;
    check(isHttp ? place + ".request.uri" : place, action.call().destination(), known);
    tokens(action)
        .ifPresent(tokens -> check(place + ".request.authentication.tokenUrl", tokens, known));
  }

  private void check(String field, Destination destination, List<Destination> known) {
    if (!known.contains(destination)) {
      objection(destination.host(), destination.port())
          .ifPresent(
              objection -> {
                throw JobException.invalid(field + ": " + objection);
              });
    }
  }

  private static Optional<Destination> tokens(Action action) {
    return action.call() instanceof HttpCall http
        ? http.authentication().flatMap(Authentication::destination)
        : Optional.empty();
  }

  /** Returns the targets of a definition. */
  static List<Destination> places(JobDefinition definition) {
    return Stream.concat(Stream.of(definition.action()), definition.errorAction().stream())
        .flatMap(
            action ->
                Stream.concat(Stream.of(action.call().destination()), tokens(action).stream()))
        .toList();
  }
}
