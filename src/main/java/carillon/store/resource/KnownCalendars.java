package carillon.store.resource;

import carillon.json.schedule.CalendarCodec;
import carillon.recurrence.calendar.CalendarCoverage;
import carillon.recurrence.calendar.CalendarDirectory;
import carillon.store.resource.ResourceStore.FoundResource;
import carillon.store.resource.ResourceStore.Resource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Snapshot of the calendars as this process last read them, for all its event loops. Computes only
 * changed calendars again. Thread-safe.
 */
public final class KnownCalendars implements Supplier<CalendarDirectory> {
  private static final Logger LOG = LoggerFactory.getLogger(KnownCalendars.class);

  /** Revision of calendars that must be read in any case. */
  private static final long UNREAD = -1;

  private final AtomicReference<Snapshot> last =
      new AtomicReference<>(new Snapshot(UNREAD, Map.of(), CalendarDirectory.UNREAD));

  private record Snapshot(
      long revision, Map<String, Calendar> calendars, CalendarDirectory directory) {}

  /**
   * A calendar.
   *
   * @param coverage null if it cannot be read
   */
  private record Calendar(long revision, CalendarCoverage coverage) {}

  @Override
  public CalendarDirectory get() {
    return last.get().directory;
  }

  /**
   * Returns the {@link ResourceStore#revision} of the calendars that were last read; negative if
   * none were read.
   */
  long revision() {
    return last.get().revision;
  }

  /** Drops the calendars, because Redis refuses to read them. Jobs that name one wait. */
  void lose() {
    last.updateAndGet(current -> new Snapshot(UNREAD, current.calendars, CalendarDirectory.UNREAD));
  }

  /**
   * Accepts calendars that were read, unless later ones are known already.
   *
   * @param revision revision before the calendars were read
   * @param stored calendars by their keys
   */
  CalendarDirectory take(long revision, Map<String, FoundResource<Resource>> stored) {
    Map<String, Calendar> former = last.get().calendars;
    Map<String, Calendar> calendars = new HashMap<>();
    Map<String, CalendarCoverage> coverages = new HashMap<>();
    Set<String> unreadable = new HashSet<>();
    stored.forEach(
        (key, found) -> {
          Calendar known = former.get(key);
          Calendar calendar =
              found
                  .resource()
                  .map(
                      resource ->
                          known != null && known.revision == resource.revision()
                              ? known
                              : compiled(resource))
                  .orElseGet(() -> damaged(key, found.damaged().orElseThrow()));
          calendars.put(key, calendar);
          if (calendar.coverage != null) {
            coverages.put(key, calendar.coverage);
          } else {
            unreadable.add(key);
          }
        });
    Snapshot read = new Snapshot(revision, calendars, new CalendarDirectory(coverages, unreadable));
    return last.updateAndGet(current -> current.revision > revision ? current : read).directory;
  }

  /** Returns the entry for an unreadable record, and logs an error. */
  private static Calendar damaged(String key, String reason) {
    LOG.atError()
        .addKeyValue("calendar", key)
        .addKeyValue("error", reason)
        .log("stored calendar cannot be read, jobs that name it wait");
    return new Calendar(UNREAD, null);
  }

  private static Calendar compiled(Resource stored) {
    String name = stored.name().substring(stored.name().lastIndexOf('/') + 1);
    try {
      return new Calendar(
          stored.revision(),
          new CalendarCoverage(name, CalendarCodec.readStored(stored.definition())));
    } catch (RuntimeException e) {
      LOG.atError()
          .addKeyValue("calendar", stored.name())
          .setCause(e)
          .log("stored calendar cannot be read, jobs that name it wait");
      return new Calendar(stored.revision(), null);
    }
  }
}
