package carillon.store.attempt;

import carillon.redis.EpochMillis;
import java.util.Collection;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Crowded destinations of which a claim is told, and how far it looks for what was put off.
 *
 * @param putOffAfter what was put off to a later instant is claimed too where it finds a place,
 *     epoch ms
 * @param putOffBy as long as it was put off until then, epoch ms; none where it is no later than
 *     what is due
 * @param destinations at most 4
 */
public record Crowds(double putOffAfter, long putOffBy, List<CrowdedDestination> destinations) {
  /** No destination is known to be crowded. */
  public static final Crowds NONE = new Crowds(0, 0, List.of());

  /** Those of the script {@code claim} that tell of the destinations. */
  Collection<String> arguments() {
    return destinations.stream().flatMap(CrowdedDestination::arguments).toList();
  }

  /**
   * What a claim did with what calls them.
   *
   * @param lookedUpTo to this instant, epoch ms, of what was put off; empty where that was all
   * @param met of each destination
   */
  public record Seen(OptionalDouble lookedUpTo, List<CrowdedDestination.Met> met) {
    /** Reads what stands behind the next instant: nothing where there are no crowds. */
    static Seen parse(String[] head) {
      return new Seen(
          head.length < 2 || head[1].equals("-")
              ? OptionalDouble.empty()
              : OptionalDouble.of(EpochMillis.score(head[1])),
          Stream.of(head).skip(2).map(CrowdedDestination.Met::parse).toList());
    }

    /** How many were put off. */
    public int putOff() {
      return met.stream().mapToInt(CrowdedDestination.Met::putOff).sum();
    }
  }
}
