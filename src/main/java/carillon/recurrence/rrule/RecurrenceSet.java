package carillon.recurrence.rrule;

import java.util.List;
import java.util.Optional;

/**
 * Set of occurrences in iCalendar: those of its rules and its dates, without its exceptions (RFC
 * 5545, 3.8.5).
 *
 * @param start DTSTART, from which the rules are counted
 * @param zone TZID, the time zone of the local times, as it was given
 * @param rules all of them shorter than a day, or none
 * @param dates RDATE
 * @param exceptions EXDATE
 */
public record RecurrenceSet(
    Optional<RuleTime> start,
    Optional<String> zone,
    List<RecurrenceRule> rules,
    List<RuleTime> dates,
    List<RuleTime> exceptions) {

  public RecurrenceSet {
    rules = List.copyOf(rules);
    dates = List.copyOf(dates);
    exceptions = List.copyOf(exceptions);
  }

  /** Whether the periods of its rules are elapsed time. */
  public boolean isElapsed() {
    return rules.stream().anyMatch(rule -> rule.frequency().isElapsed());
  }
}
