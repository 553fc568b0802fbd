package carillon.job;

import carillon.recurrence.Frequency;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The settings of a job collection.
 *
 * @param location as the client gave it
 * @param tags in the client's order
 * @param sku name of the plan, in the client's case
 * @param state the gate: anything but ENABLED keeps all jobs of the collection from running
 * @param quota explicit bounds
 * @param label a text of the client's own, which the classic API knows
 */
public record CollectionDefinition(
    Optional<String> location,
    Map<String, String> tags,
    Optional<String> sku,
    State state,
    Optional<Quota> quota,
    Optional<String> label) {
  public CollectionDefinition {
    tags = Collections.unmodifiableMap(new LinkedHashMap<>(tags));
  }

  /** A collection of which nothing was said. */
  public static final CollectionDefinition PLAIN =
      new CollectionDefinition(
          Optional.empty(),
          Map.of(),
          Optional.empty(),
          State.ENABLED,
          Optional.empty(),
          Optional.empty());

  /** The same settings in another state. */
  public CollectionDefinition in(State other) {
    return new CollectionDefinition(location, tags, sku, other, quota, label);
  }

  /** The same settings at another location. */
  public CollectionDefinition at(Optional<String> other) {
    return new CollectionDefinition(other, tags, sku, state, quota, label);
  }

  /** Whether the jobs of the collection run. */
  public enum State {
    ENABLED,
    DISABLED,
    SUSPENDED;

    /** As answered: first letter upper case. */
    public String word() {
      return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Explicit bounds, each of which may be absent.
   *
   * @param maxJobCount most jobs in the collection
   * @param maxJobOccurrence most occurrences of a job
   * @param maxRecurrence the smallest permitted interval
   */
  public record Quota(
      OptionalInt maxJobCount,
      OptionalInt maxJobOccurrence,
      Optional<MaxRecurrence> maxRecurrence) {}

  /** The smallest permitted interval between two occurrences. */
  public record MaxRecurrence(Frequency frequency, int interval) {}
}
