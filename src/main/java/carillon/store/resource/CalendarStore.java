package carillon.store.resource;

import carillon.job.Precondition;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.json.schedule.CalendarCodec;
import carillon.recurrence.calendar.CalendarDefinition;
import carillon.recurrence.calendar.CalendarDirectory;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.route.RedisErrors;
import carillon.store.resource.ResourceStore.FoundResource;
import carillon.store.resource.ResourceStore.Resource;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Store of calendars, and of changed calendars until next occurrences follow them. Every future may
 * fail with {@link ErrorCode#STORE_UNAVAILABLE}. Confined to the event loop of its link.
 */
public final class CalendarStore {
  private final RedisLink link;
  private final Keys keys;
  private final ResourceStore definitions;
  private final KnownCalendars known;

  /**
   * Creates a store.
   *
   * @param maxOfGroup maximum number of calendars in a group
   * @param known receives the calendars that are read
   */
  public CalendarStore(RedisLink link, Keys keys, int maxOfGroup, KnownCalendars known) {
    this.link = link;
    this.keys = keys;
    this.definitions =
        new ResourceStore(
            link, keys.calendars(), "calendar", maxOfGroup, ErrorCode.CALENDAR_DAMAGED);
    this.known = known;
  }

  /** A stored calendar. */
  public record StoredCalendar(CalendarName name, CalendarDefinition definition, long revision) {
    private static StoredCalendar of(Resource stored) {
      return new StoredCalendar(
          CalendarName.parse(stored.name()),
          CalendarCodec.readStored(stored.definition()),
          stored.revision());
    }

    /** Returns a stored calendar, or the reason why its definition cannot be read. */
    public static FoundResource<StoredCalendar> found(FoundResource<Resource> stored) {
      return FoundResource.of(stored, StoredCalendar::of);
    }
  }

  /**
   * A completed write.
   *
   * @param created false if it replaced a calendar
   */
  public record Put(StoredCalendar calendar, boolean created) {}

  /**
   * Creates or replaces a calendar. Fails with {@link ErrorCode#PRECONDITION_FAILED}, and with
   * {@link ErrorCode#CONFLICT} if its group or subscription has too many.
   */
  public Future<Put> put(
      CalendarName name, CalendarDefinition definition, Precondition condition, Instant now) {
    // First, so that no crash loses the change. Again, because another node may have removed it in
    // the meantime.
    return changed(name)
        .compose(
            noted -> definitions.put(name.path(), CalendarCodec.write(definition), condition, now))
        .compose(
            put ->
                changed(name)
                    .map(
                        noted ->
                            new Put(
                                new StoredCalendar(
                                    CalendarName.parse(put.resource().name()),
                                    definition,
                                    put.resource().revision()),
                                put.created())));
  }

  /**
   * Deletes a calendar. Jobs with this calendar run without it.
   *
   * @return false if there was none; fails with {@link ErrorCode#PRECONDITION_FAILED}
   */
  public Future<Boolean> delete(CalendarName name, Precondition condition, Instant now) {
    return changed(name)
        .compose(noted -> definitions.delete(name.path(), condition, now))
        .compose(
            deleted ->
                deleted.isPresent() ? changed(name).map(true) : Future.succeededFuture(false));
  }

  /** Returns the failure for a missing calendar. */
  public JobException notFound(CalendarName name) {
    return definitions.notFound(name.path());
  }

  /**
   * Returns the calendar with this name, if there is one. Fails with {@link
   * ErrorCode#CALENDAR_DAMAGED}.
   */
  public Future<Optional<StoredCalendar>> find(CalendarName name) {
    return look(name).map(found -> found.map(definitions::readable));
  }

  /**
   * Returns the calendar with this name, or the reason why it cannot be read; empty if there is
   * none.
   */
  public Future<Optional<FoundResource<StoredCalendar>>> look(CalendarName name) {
    return definitions.find(name.path()).map(found -> found.map(StoredCalendar::found));
  }

  /**
   * Returns all calendars by their keys, with unparsed definitions. Reads them in bounded slices.
   */
  public Future<NavigableMap<String, FoundResource<Resource>>> all() {
    return definitions.all();
  }

  /** Returns the calendars as this process last read them. */
  public CalendarDirectory known() {
    return known.get();
  }

  /**
   * Returns the current calendars, and reads them again only after a change. If Redis refuses the
   * read because their key is damaged, they count as unread from then on.
   */
  public Future<CalendarDirectory> current() {
    return definitions
        .revision()
        .compose(
            revision ->
                revision == known.revision()
                    ? Future.succeededFuture(known.get())
                    : definitions.all().map(all -> known.take(revision, all)))
        .onFailure(
            failure -> {
              if (!RedisErrors.isUnavailable(failure)) {
                known.lose();
              }
            });
  }

  /** Marks all calendars as changed, after the rules of their time zones have changed. */
  public Future<Void> noteAll() {
    return definitions
        .all()
        .compose(all -> Future.all(all.keySet().stream().map(this::changed).toList()))
        .mapEmpty();
  }

  private Future<Void> changed(CalendarName name) {
    return changed(name.key());
  }

  private Future<Void> changed(String calendar) {
    return link.send(Request.cmd(Command.HINCRBY).arg(keys.calendarChanges()).arg(calendar).arg(1))
        .mapEmpty();
  }

  /**
   * Returns the keys of calendars that were changed, or may have been. The text of each differs
   * after another change.
   */
  public Future<Map<String, String>> changes() {
    return link.send(Request.cmd(Command.HGETALL).arg(keys.calendarChanges()))
        .map(
            reply -> {
              Map<String, String> changes = new TreeMap<>();
              for (String calendar : reply.getKeys()) {
                Response change = reply.get(calendar);
                changes.put(calendar, change.toString());
              }
              return changes;
            });
  }

  /**
   * Removes a change that all next occurrences follow by now, unless another one came.
   *
   * @param change text from {@link #changes}
   */
  public Future<Void> followed(String calendar, String change) {
    String changes = keys.calendarChanges();
    return new ConditionalCommands()
        .when(change, "HGET", changes, calendar)
        .then("HDEL", changes, calendar)
        .run(link, true)
        .mapEmpty();
  }
}
