package carillon.recurrence.calendar;

import carillon.recurrence.timetable.Exclusions.OnExcluded;
import java.util.ArrayList;
import java.util.List;

/**
 * Calendars that a job names, from its group.
 *
 * @param exclude calendars in whose covered time the job does not run
 * @param only if there are any, the job runs only in their covered time
 * @param onExcluded treatment of an excluded occurrence
 */
public record JobCalendars(List<String> exclude, List<String> only, OnExcluded onExcluded) {
  /** Maximum number of calendars of a job. */
  public static final int MAX = 8;

  public JobCalendars {
    exclude = List.copyOf(exclude);
    only = List.copyOf(only);
  }

  /** Names of all calendars, as they were given. */
  public List<String> names() {
    List<String> names = new ArrayList<>(exclude);
    names.addAll(only);
    return names;
  }
}
