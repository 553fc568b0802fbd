package carillon.recurrence.calendar;

import carillon.recurrence.Coverage;
import carillon.recurrence.Exclusions;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;

/** All calendars, as they are at one time. May be used by any thread. */
public final class CalendarDirectory {
  /** Without calendars. */
  public static final CalendarDirectory EMPTY = new CalendarDirectory(Map.of());

  private final Map<String, CalendarCoverage> calendars;

  /**
   * The directory of some calendars.
   *
   * @param calendars by {@code sub/group/calendar} in lower case
   */
  public CalendarDirectory(Map<String, CalendarCoverage> calendars) {
    this.calendars = Map.copyOf(calendars);
  }

  /**
   * The calendars of some groups.
   *
   * @param groups whether it has those of a group, by its subscription and name
   */
  public CalendarDirectory within(BiPredicate<String, String> groups) {
    Map<String, CalendarCoverage> chosen = new HashMap<>(calendars);
    chosen
        .keySet()
        .removeIf(
            key -> {
              String[] names = key.split("/", -1);
              return !groups.test(names[0], names[1]);
            });
    return new CalendarDirectory(chosen);
  }

  /**
   * The calendar of a name; empty where there is none.
   *
   * @param group {@code sub/group}, in any case
   */
  public Optional<Coverage> find(String group, String name) {
    return Optional.ofNullable(calendars.get((group + "/" + name).toLowerCase(Locale.ROOT)));
  }

  /**
   * The exclusions by calendars of a group; one that is gone excludes nothing, and as an only one
   * none either.
   *
   * @param group {@code sub/group}, in any case
   * @param zone whose days count where occurrences are moved to another day
   */
  public Exclusions exclusions(String group, JobCalendars named, ZoneId zone) {
    return new Exclusions(
        found(group, named.exclude()), found(group, named.only()), named.onExcluded(), zone);
  }

  private List<Coverage> found(String group, List<String> names) {
    List<Coverage> found = new ArrayList<>(names.size());
    names.forEach(name -> find(group, name).ifPresent(found::add));
    return found;
  }
}
