package carillon.store.resource;

import carillon.job.name.NameRules;

/**
 * Full name of a calendar, in its original case. Jobs of the same subscription and resource group
 * use it.
 *
 * @param subscription the Azure subscription, {@code default} in the native API
 * @param group the resource group, {@code default} in the native API
 * @param calendar the calendar's own name
 */
public record CalendarName(String subscription, String group, String calendar) {
  public CalendarName {
    NameRules.check("subscription", subscription);
    NameRules.check("resource group", group);
    NameRules.check("calendar", calendar);
  }

  /** Returns {@code sub/group/calendar}. */
  public String path() {
    return subscription + "/" + group + "/" + calendar;
  }

  /** Returns the path in lower case, as in Redis keys. */
  public String key() {
    return NameRules.fold(path());
  }

  /** Parses {@code sub/group/calendar}. */
  public static CalendarName parse(String path) {
    String[] parts = path.split("/", -1);
    return new CalendarName(parts[0], parts[1], parts[2]);
  }
}
