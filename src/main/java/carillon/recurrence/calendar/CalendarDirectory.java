package carillon.recurrence.calendar;

import carillon.recurrence.Coverage;
import carillon.recurrence.timetable.Exclusions;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;

/** All calendars at one time. May be used by any thread. */
public final class CalendarDirectory {
  /** Directory without calendars. */
  public static final CalendarDirectory EMPTY = new CalendarDirectory(Map.of());

  /** Directory whose calendars have not been read, or can no longer be read. */
  public static final CalendarDirectory UNREAD = new CalendarDirectory(Map.of(), Set.of(), false);

  private final Map<String, CalendarCoverage> calendars;
  private final Set<String> unreadable;
  private final boolean isRead;

  /**
   * The directory of some calendars.
   *
   * @param calendars by {@code sub/group/calendar} in lower case
   */
  public CalendarDirectory(Map<String, CalendarCoverage> calendars) {
    this(calendars, Set.of());
  }

  /**
   * The directory of some calendars.
   *
   * @param calendars by {@code sub/group/calendar} in lower case
   * @param unreadable names in that form of calendars whose stored definition cannot be read
   */
  public CalendarDirectory(Map<String, CalendarCoverage> calendars, Set<String> unreadable) {
    this(calendars, unreadable, true);
  }

  private CalendarDirectory(
      Map<String, CalendarCoverage> calendars, Set<String> unreadable, boolean isRead) {
    this.calendars = Map.copyOf(calendars);
    this.unreadable = Set.copyOf(unreadable);
    this.isRead = isRead;
  }

  /** Names of calendars whose stored definition cannot be read, in order. */
  public List<String> unreadable() {
    return unreadable.stream().sorted().toList();
  }

  /**
   * Returns the first calendar of a job that cannot be read. It may exclude any time, so the job
   * does not run.
   *
   * @param group {@code sub/group}, in any case
   */
  public Optional<String> unreadable(String group, JobCalendars named) {
    return named.names().stream().filter(name -> isUnreadable(group, name)).findFirst();
  }

  /** Whether the calendar with this name cannot be read. */
  public boolean isUnreadable(String group, String name) {
    return !isRead || unreadable.contains(key(group, name));
  }

  private static String key(String group, String name) {
    return (group + "/" + name).toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the calendars of some groups.
   *
   * @param groups whether the result has those of a group, by its subscription and name
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
    return new CalendarDirectory(chosen, unreadable, isRead);
  }

  /**
   * Returns the calendar with this name; empty if there is none.
   *
   * @param group {@code sub/group}, in any case
   */
  public Optional<Coverage> find(String group, String name) {
    return Optional.ofNullable(calendars.get(key(group, name)));
  }

  /**
   * Returns the exclusions by calendars of a group. A deleted calendar excludes nothing, even in
   * {@code only}. The same holds for an {@linkplain #unreadable unreadable} one, which instead
   * holds its jobs back when they are due.
   *
   * @param group {@code sub/group}, in any case
   * @param zone whose days count if occurrences move to another day
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
