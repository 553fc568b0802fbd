package carillon.recurrence.calendar;

import carillon.recurrence.Exclusions.OnExcluded;
import java.util.ArrayList;
import java.util.List;

/**
 * Calendars that a job names, of its own group.
 *
 * @param exclude the job does not run at times that any of these covers
 * @param only if there are any, it runs only at times that one of these covers
 * @param onExcluded what becomes of an occurrence at another time
 */
public record JobCalendars(List<String> exclude, List<String> only, OnExcluded onExcluded) {
  /** More are refused. */
  public static final int MAX = 8;

  public JobCalendars {
    exclude = List.copyOf(exclude);
    only = List.copyOf(only);
  }

  /** All of them, by their names as they were given. */
  public List<String> names() {
    List<String> names = new ArrayList<>(exclude);
    names.addAll(only);
    return names;
  }
}
