package carillon.store.attempt;

import java.util.OptionalLong;

/**
 * What waits in Redis for an instant, in all partitions together.
 *
 * @param overdue entries whose instant has passed: nobody has claimed them yet
 * @param waiting all entries
 * @param earliest instant of the entry that is due first, epoch ms
 */
public record Backlog(long overdue, long waiting, OptionalLong earliest) {
  static final Backlog NONE = new Backlog(0, 0, OptionalLong.empty());

  Backlog plus(Backlog other) {
    OptionalLong first =
        earliest.isPresent() && other.earliest.isPresent()
            ? OptionalLong.of(Math.min(earliest.getAsLong(), other.earliest.getAsLong()))
            : earliest.isPresent() ? earliest : other.earliest;
    return new Backlog(overdue + other.overdue, waiting + other.waiting, first);
  }
}
