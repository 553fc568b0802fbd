package carillon.api.admin;

import carillon.job.name.WireWord;
import carillon.store.Stores;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Health of this node, as its routes for health and the overview ask for it. */
@FunctionalInterface
public interface HealthChecks {
  /** Name of the check that calendars can be read. */
  String CALENDARS = "calendars";

  /**
   * Results of the checks, in a fixed order. To be called on the event loop of the stores. A
   * failure counts as not ready.
   */
  Future<List<Check>> checks(Stores stores);

  /** Facts about the node for operators, as names and values. */
  default Map<String, String> facts() {
    return Map.of();
  }

  /**
   * Returns a sentence on why this node accepts no changes at present; empty if it does. Cheap: it
   * is called for each change.
   */
  default Optional<String> objectionToChanges() {
    return Optional.empty();
  }

  /** Result of a check. */
  enum Status implements WireWord {
    /** Healthy. */
    UP,
    /** The node works, but an operator should look. */
    WARNING,
    /** The node cannot do its work. */
    DOWN
  }

  /**
   * Result of one check.
   *
   * @param name a fixed word
   * @param reason a sentence for an operator; empty when all is well
   */
  record Check(String name, Status status, String reason) {
    /** All is well. */
    public static Check up(String name) {
      return new Check(name, Status.UP, "");
    }

    /** Up if the condition holds, otherwise down for this reason. */
    public static Check downUnless(String name, boolean holds, String reason) {
      return holds ? up(name) : new Check(name, Status.DOWN, reason);
    }

    /** Up if the condition holds, otherwise a warning with this reason. */
    public static Check warnUnless(String name, boolean holds, String reason) {
      return holds ? up(name) : new Check(name, Status.WARNING, reason);
    }
  }
}
