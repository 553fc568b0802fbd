package carillon.job.collection;

import carillon.job.Pause;
import carillon.job.StoredJob;
import carillon.job.name.CollectionName;
import carillon.job.name.JobState;
import carillon.job.name.WireWord;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Pause that keeps all jobs of a collection from running. Derived when a job is read, never stored
 * with it.
 *
 * @param level extent of the pause
 * @param name of the group or collection, as its reader knows it; empty if everything is paused
 * @param pause with the caller, note and end; empty if its document disabled it
 */
public record Hold(HoldLevel level, String name, Optional<Pause> pause) {
  /** Extent of a pause of many jobs. */
  public enum HoldLevel implements WireWord {
    /** Everything on this installation. */
    EVERYTHING,
    /** All collections of a group. */
    GROUP,
    /** A single collection. */
    COLLECTION;

    /** Returns the level of a marker by its key. Empty if the key is empty. */
    public static Optional<HoldLevel> ofMarker(String key) {
      if (key.isEmpty()) {
        return Optional.empty();
      }
      return Optional.of(PauseScope.ofKey(key).map(HoldLevel::of).orElse(COLLECTION));
    }

    /** Returns the key of the marker that disables a collection at this level. */
    public String marker(String collection) {
      return switch (this) {
        case EVERYTHING -> PauseScope.EVERYTHING.key();
        case GROUP -> PauseScope.ofCollection(collection).key();
        case COLLECTION -> collection;
      };
    }

    private static HoldLevel of(PauseScope scope) {
      return scope.isEverything() ? EVERYTHING : GROUP;
    }
  }

  /** The hold of a disabled collection. */
  public static Hold ofCollection(
      CollectionName name, CollectionDefinition definition, Instant now) {
    Optional<Pause> pause = definition.pause();
    return new Hold(
        HoldLevel.COLLECTION,
        name.collection(),
        pause.flatMap(one -> one.current(now)).or(() -> pause));
  }

  /** The hold of a group or of everything. */
  public static Hold ofScope(PauseScope scope, Pause pause) {
    return new Hold(HoldLevel.of(scope), scope.group(), Optional.of(pause));
  }

  /** Returns this hold, and the planned pause that follows. */
  public Stream<Hold> andPlanned() {
    return Stream.concat(
        Stream.of(this),
        pause
            .flatMap(Pause::planned)
            .map(plan -> new Hold(level, name, Optional.of(plan)))
            .stream());
  }

  /** Whether an instant lies within this pause. */
  public boolean covers(Instant at) {
    return pause.map(one -> one.goesOn(at)).orElse(true);
  }

  /** Whether jobs stay paused beyond an instant. */
  private boolean lastsBeyond(Instant at) {
    return pause.flatMap(Pause::end).map(at::isBefore).orElse(true);
  }

  /**
   * Current and planned holds of several collections.
   *
   * @param byCollection collection key to its holds, the widest first; collections without a pause
   *     have none
   * @param now when they were read
   */
  public record Holds(Map<String, List<Hold>> byCollection, Instant now) {
    /** No holds. */
    public static final Holds NONE = new Holds(Map.of(), Instant.EPOCH);

    public Holds {
      byCollection = Map.copyOf(byCollection);
    }

    /** All holds of a collection, the widest first. */
    public List<Hold> all(CollectionName name) {
      return byCollection.getOrDefault(name.key(), List.of());
    }

    /** The widest current hold of a collection; empty if its jobs run. */
    public Optional<Hold> of(CollectionName name) {
      return at(name, now);
    }

    /** The widest hold that covers an instant. An overdue instant counts as now. */
    public Optional<Hold> at(CollectionName name, Instant due) {
      Instant at = notBeforeNow(due);
      return all(name).stream().filter(hold -> hold.covers(at)).findFirst();
    }

    /**
     * The widest current hold that keeps the next occurrence of a job from running. Empty if the
     * job is not enabled, or runs only after the pause. A job without a next occurrence has an
     * attempt under way.
     */
    public Optional<Hold> of(StoredJob job) {
      if (job.state() != JobState.ENABLED) {
        return Optional.empty();
      }
      Instant due =
          notBeforeNow(job.next().map(job.definition().occurrences()::planned).orElse(now));
      return all(job.name().collection()).stream()
          .filter(hold -> hold.covers(now) && hold.lastsBeyond(due))
          .findFirst();
    }

    private Instant notBeforeNow(Instant at) {
      return at.isAfter(now) ? at : now;
    }
  }
}
