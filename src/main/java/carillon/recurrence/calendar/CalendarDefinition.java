package carillon.recurrence.calendar;

import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Definition of a calendar, as a client gives it: spans of time that it covers.
 *
 * @param timeZone as it was given; absent for UTC
 * @param zone zone of that name, by the data of this Java
 * @param spans in any order
 */
public record CalendarDefinition(Optional<String> timeZone, ZoneId zone, List<CalendarSpan> spans) {

  public CalendarDefinition {
    Objects.requireNonNull(timeZone, "timeZone");
    Objects.requireNonNull(zone, "zone");
    spans = List.copyOf(spans);
  }
}
