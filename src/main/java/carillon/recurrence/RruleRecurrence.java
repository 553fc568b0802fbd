package carillon.recurrence;

import carillon.recurrence.rrule.RecurrenceSet;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * Recurrence by rules of iCalendar (RFC 5545). Without a startTime and a DTSTART its rules count
 * from its submission, and it does not begin immediately.
 *
 * @param lines as they were given; one for a text
 * @param isListed whether they were given as an array
 * @param set parsed form of the lines
 */
public record RruleRecurrence(
    List<String> lines, boolean isListed, RecurrenceSet set, int count, Instant endTime)
    implements Recurrence {
  private static final int HOURS_OF_DAY = 24;

  public RruleRecurrence {
    lines = List.copyOf(lines);
    Objects.requireNonNull(set, "set");
    Recurrence.check(count, endTime);
  }

  /** The lines as a single text. */
  public String text() {
    return String.join("\n", lines);
  }

  @Override
  public boolean isElapsed() {
    return set.isElapsed();
  }

  /** Whether the rules have a DTSTART. */
  @Override
  public boolean hasStart() {
    return set.start().isPresent();
  }

  @Override
  public RruleRecurrence withoutEnd() {
    return new RruleRecurrence(lines, isListed, set, count, NO_END);
  }

  /** Whether it continues in elapsed time when clocks are changed, because all hours match. */
  boolean isWildcard() {
    return set.rules().stream().anyMatch(rule -> rule.hours().size() == HOURS_OF_DAY);
  }
}
