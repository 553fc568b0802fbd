package carillon.api.resources;

import carillon.access.AuditEntry.AuditContext;
import carillon.job.JobDefinition;
import carillon.job.Precondition;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.job.name.JobKey;
import carillon.job.name.JobName;
import carillon.json.schedule.JobCalendarsCodec;
import carillon.recurrence.calendar.CalendarDefinition;
import carillon.recurrence.calendar.CalendarDirectory;
import carillon.recurrence.calendar.JobCalendars;
import carillon.store.Stores;
import carillon.store.job.AuditLog;
import carillon.store.job.ChangeNotices;
import carillon.store.resource.CalendarName;
import carillon.store.resource.CalendarStore;
import carillon.store.resource.CalendarStore.StoredCalendar;
import carillon.store.resource.CalendarUses;
import carillon.store.resource.ResourceStore.FoundResource;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Operations of clients on calendars, and on jobs that name them. Writes are noted in the audit log
 * and announced to all nodes.
 */
public final class CalendarOperations {
  private static final String WHAT = "calendar";

  /** Maximum number of jobs that are counted. */
  private static final int MAX_COUNTED = 1000;

  private final CalendarStore calendars;
  private final CalendarUses uses;
  private final AuditLog audit;
  private final ChangeNotices notices;

  public CalendarOperations(Stores stores) {
    this.calendars = stores.resource().calendars();
    this.uses = stores.resource().calendarUses();
    this.audit = stores.job().auditLog();
    this.notices = stores.job().changeNotices();
  }

  /**
   * Creates or replaces the calendar. Fails with PRECONDITION_FAILED, and with CONFLICT when there
   * are too many.
   */
  Future<CalendarStore.Put> put(
      CalendarName name, CalendarDefinition definition, Precondition condition, AuditContext by) {
    return calendars
        .look(name)
        .compose(
            before ->
                calendars
                    .put(name, definition, condition, by.at())
                    .compose(
                        put ->
                            noted(
                                    name,
                                    before.flatMap(CalendarOperations::definition),
                                    Optional.of(definition),
                                    by)
                                .map(put)))
        .compose(put -> calendars.current().map(put));
  }

  private static Optional<CalendarDefinition> definition(FoundResource<StoredCalendar> found) {
    return found.resource().map(StoredCalendar::definition);
  }

  /** Returns the current calendar. Fails with JOB_NOT_FOUND or CALENDAR_DAMAGED. */
  Future<StoredCalendar> get(CalendarName name) {
    return calendars.find(name).map(found -> found.orElseThrow(() -> calendars.notFound(name)));
  }

  /**
   * Deletes the calendar. Fails with PRECONDITION_FAILED, and with CONFLICT if jobs name it.
   *
   * @param force deletes it even if jobs name it: they run without it
   * @return false when there was none
   */
  Future<Boolean> delete(
      CalendarName name, boolean force, Precondition condition, AuditContext by) {
    return calendars
        .look(name)
        .compose(
            found ->
                (force || found.isEmpty()
                        ? Future.succeededFuture(0)
                        : uses.count(name.key(), MAX_COUNTED))
                    .compose(
                        count -> {
                          if (count > 0) {
                            throw inUse(name, count);
                          }
                          return delete(name, found, condition, by);
                        }));
  }

  private Future<Boolean> delete(
      CalendarName name,
      Optional<FoundResource<StoredCalendar>> found,
      Precondition condition,
      AuditContext by) {
    Optional<CalendarDefinition> before = found.flatMap(CalendarOperations::definition);
    return calendars
        .delete(name, condition, by.at())
        .compose(
            deleted ->
                deleted
                    ? noted(name, before, Optional.empty(), by)
                        .compose(noted -> calendars.current())
                        .map(true)
                    : Future.succeededFuture(false));
  }

  private static JobException inUse(CalendarName name, int count) {
    String jobs =
        count == 1 ? "1 job names" : (count >= MAX_COUNTED ? "1000 or more" : count) + " jobs name";
    return new JobException(
        ErrorCode.CONFLICT,
        jobs
            + " calendar '"
            + name.calendar()
            + "'; change them first, or delete it with ?force=true to let them run without it.");
  }

  private Future<Void> noted(
      CalendarName name,
      Optional<CalendarDefinition> before,
      Optional<CalendarDefinition> after,
      AuditContext by) {
    return Future.all(
            notices.add(ChangeNotices.Kind.CALENDAR, name.key()),
            audit.note(
                by,
                WHAT + ":" + name.key(),
                before.map(CalendarOperations::text),
                after.map(CalendarOperations::text)))
        .mapEmpty();
  }

  /** The spans may be half a megabyte. */
  private static String text(CalendarDefinition calendar) {
    return "{\"spans\":" + calendar.spans().size() + "}";
  }

  /** The calendars as they are now, if a definition names any; it costs nothing otherwise. */
  public Future<CalendarDirectory> of(JobDefinition definition) {
    return definition.occurrences().calendars().isEmpty()
        ? Future.succeededFuture(CalendarDirectory.EMPTY)
        : calendars.current();
  }

  /**
   * Checks that the calendars of a definition exist and leave it an occurrence. Fails with INVALID.
   *
   * @param former the former definition, which may name deleted calendars
   * @param created since when the job exists
   */
  public Future<Void> check(
      JobName job,
      JobDefinition definition,
      Optional<JobDefinition> former,
      Instant created,
      Instant now) {
    return of(definition)
        .map(
            directory -> {
              JobCalendarsCodec.check(
                  definition, new JobKey(job.key()), directory, former, created, now);
              return null;
            });
  }

  /** Performs the write of a job, and notes which calendars it names. */
  public <T> Future<T> noting(JobName job, JobDefinition definition, Supplier<Future<T>> write) {
    Optional<JobCalendars> named = definition.occurrences().calendars();
    if (named.isEmpty()) {
      return write.get();
    }
    JobKey key = new JobKey(job.key());
    // First, so that no crash loses it; and again, as a concurrent reader may have removed it.
    return uses.add(key, named.get())
        .compose(noted -> write.get())
        .compose(written -> uses.add(key, named.get()).map(written));
  }
}
