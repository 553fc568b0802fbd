package carillon.store.resource;

import carillon.job.NameRules;

/**
 * The full name of a calendar, in the case it was given. Jobs of the same subscription and resource
 * group use it.
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

  /** The form {@code sub/group/calendar}. */
  public String path() {
    return subscription + "/" + group + "/" + calendar;
  }

  /** The path in lower case, as it stands in Redis keys. */
  public String key() {
    return NameRules.fold(path());
  }

  /** Reads {@code sub/group/calendar}. */
  public static CalendarName parse(String path) {
    String[] parts = path.split("/", -1);
    return new CalendarName(parts[0], parts[1], parts[2]);
  }
}
