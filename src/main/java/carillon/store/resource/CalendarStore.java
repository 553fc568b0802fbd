package carillon.store.resource;

import carillon.job.ErrorCode;
import carillon.job.JobException;
import carillon.job.Precondition;
import carillon.json.CalendarCodec;
import carillon.recurrence.calendar.CalendarDefinition;
import carillon.recurrence.calendar.CalendarDirectory;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
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
 * Store of calendars, and of those whose change the next occurrences of jobs have yet to follow.
 * Every future may fail with {@link ErrorCode#STORE_UNAVAILABLE}. Confined to the event loop of its
 * link.
 */
public final class CalendarStore {
  private final RedisLink link;
  private final Keys keys;
  private final ResourceStore definitions;
  private final KnownCalendars known;

  /**
   * A store.
   *
   * @param maxOfGroup calendars that a group may have
   * @param known takes what is read
   */
  public CalendarStore(RedisLink link, Keys keys, int maxOfGroup, KnownCalendars known) {
    this.link = link;
    this.keys = keys;
    this.definitions =
        new ResourceStore(
            link, keys.calendars(), "calendar", maxOfGroup, ErrorCode.CALENDAR_DAMAGED);
    this.known = known;
  }

  /** A calendar as it is stored. */
  public record StoredCalendar(CalendarName name, CalendarDefinition definition, long revision) {
    private static StoredCalendar of(Resource stored) {
      return new StoredCalendar(
          CalendarName.parse(stored.name()),
          CalendarCodec.readStored(stored.definition()),
          stored.revision());
    }

    /** A calendar as it is stored, or the reason why its definition cannot be read. */
    public static FoundResource<StoredCalendar> found(FoundResource<Resource> stored) {
      return FoundResource.of(stored, StoredCalendar::of);
    }
  }

  /**
   * A write that was made.
   *
   * @param created false when it replaced a calendar
   */
  public record Put(StoredCalendar calendar, boolean created) {}

  /**
   * Creates or replaces a calendar. Fails with {@link ErrorCode#PRECONDITION_FAILED}, and with
   * {@link ErrorCode#CONFLICT} when its subscription has too many.
   */
  public Future<Put> put(
      CalendarName name, CalendarDefinition definition, Precondition condition, Instant now) {
    // First, so that no crash loses it; and again, as whoever looked meanwhile took it out.
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
   * Deletes a calendar; jobs that name it run without it.
   *
   * @return false when there was none. Fails with {@link ErrorCode#PRECONDITION_FAILED}
   */
  public Future<Boolean> delete(CalendarName name, Precondition condition, Instant now) {
    return changed(name)
        .compose(noted -> definitions.delete(name.path(), condition, now))
        .compose(
            deleted ->
                deleted.isPresent() ? changed(name).map(true) : Future.succeededFuture(false));
  }

  /** The refusal for a calendar that is not there. */
  public JobException notFound(CalendarName name) {
    return definitions.notFound(name.path());
  }

  /** The calendar of this name, if there is one. Fails with {@link ErrorCode#CALENDAR_DAMAGED}. */
  public Future<Optional<StoredCalendar>> find(CalendarName name) {
    return look(name).map(found -> found.map(definitions::readable));
  }

  /** The calendar of this name, or the reason why it cannot be read; empty when there is none. */
  public Future<Optional<FoundResource<StoredCalendar>>> look(CalendarName name) {
    return definitions.find(name.path()).map(found -> found.map(StoredCalendar::found));
  }

  /** All calendars by their keys, their definitions not read yet, read in bounded slices. */
  public Future<NavigableMap<String, FoundResource<Resource>>> all() {
    return definitions.all();
  }

  /** The calendars as this process read them last. */
  public CalendarDirectory known() {
    return known.get();
  }

  /**
   * The calendars as they are now; reads them anew only if any has changed. Where Redis refuses to
   * read them, as their key is damaged, they count as unread from then on.
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
              if (!RedisLink.isUnavailable(failure)) {
                known.lose();
              }
            });
  }

  /** Notes all calendars as changed, as the rules of their time zones have. */
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
   * The keys of calendars that were changed, or may have been, each with a text that another change
   * alters.
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
   * Forgets a change that all next occurrences follow by now, unless another one came.
   *
   * @param change as {@link #changes} told it
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
