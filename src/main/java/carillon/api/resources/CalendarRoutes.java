package carillon.api.resources;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.EtagPreconditions;
import carillon.api.http.RoutePath;
import carillon.job.name.JobException;
import carillon.json.schedule.CalendarCodec;
import carillon.json.text.JsonOut;
import carillon.recurrence.calendar.CalendarDefinition;
import carillon.recurrence.calendar.IcalendarImport.Imported;
import carillon.store.resource.CalendarName;
import carillon.store.resource.CalendarStore;
import carillon.store.resource.CalendarStore.StoredCalendar;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Handlers of calendars. */
public final class CalendarRoutes {
  private static final String ICALENDAR = "text/calendar";
  public static final String TIME_ZONE = "timeZone";
  public static final String TRANSPARENT = "includeTransparent";
  private static final int MAX_ZONE = 64;

  private final CalendarOperations operations;
  private final CalendarStore store;

  public CalendarRoutes(CalendarOperations operations, CalendarStore store) {
    this.operations = operations;
    this.store = store;
  }

  private static CalendarName name(RoutePath path) {
    return new CalendarName(path.subscription(), path.group().orElseThrow(), path.id());
  }

  /** Lists the calendars of a group by name, without their spans. */
  public Future<ApiResponse> list(ApiRequest request) {
    return store
        .all()
        .map(all -> ResourcePage.of(request, all, StoredCalendar::found))
        .map(
            page ->
                ApiResponse.json(
                    200,
                    JsonOut.of(
                        json ->
                            JsonOut.writePage(
                                json,
                                page.resources(),
                                (out, calendar) ->
                                    CalendarCodec.writeEntry(
                                        out, calendar.name().calendar(), calendar.definition()),
                                page.nextLink(),
                                page.damaged()))));
  }

  /** Answers one calendar. */
  public Future<ApiResponse> get(ApiRequest request) {
    return operations
        .get(name(request.path()))
        .map(
            calendar ->
                ApiResponse.json(
                        200,
                        CalendarCodec.answer(calendar.name().calendar(), calendar.definition()))
                    .withRevision(calendar.revision()));
  }

  /** Creates or replaces a calendar, from JSON or from iCalendar. */
  public Future<ApiResponse> put(ApiRequest request) {
    Optional<String> timeZone = request.query().shortText(TIME_ZONE, MAX_ZONE);
    Optional<String> transparent = request.query().word(TRANSPARENT, List.of("true", "false"));
    if (isIcalendar(request)) {
      boolean includes = transparent.filter("true"::equals).isPresent();
      Imported imported = CalendarCodec.readIcalendar(request.body(), timeZone, includes);
      return put(request, imported.definition(), name -> CalendarCodec.answer(name, imported));
    }
    if (timeZone.isPresent()) {
      throw JobException.invalid(
          "Parameter timeZone is for text/calendar; JSON has a property timeZone.");
    }
    if (transparent.isPresent()) {
      throw JobException.invalid("Parameter includeTransparent is for text/calendar.");
    }
    CalendarDefinition given = CalendarCodec.read(request.body(), request.path().id());
    return put(request, given, name -> CalendarCodec.answer(name, given));
  }

  private static boolean isIcalendar(ApiRequest request) {
    String type = request.http().getHeader(HttpHeaders.CONTENT_TYPE);
    return type != null && type.trim().toLowerCase(Locale.ROOT).startsWith(ICALENDAR);
  }

  private Future<ApiResponse> put(
      ApiRequest request, CalendarDefinition given, Function<String, byte[]> answer) {
    return operations
        .put(
            name(request.path()),
            given,
            EtagPreconditions.ofWrite(request.http()),
            request.auditContext())
        .map(
            put ->
                ApiResponse.json(
                        put.created() ? 201 : 200, answer.apply(put.calendar().name().calendar()))
                    .withRevision(put.calendar().revision()));
  }

  /** Deletes a calendar. */
  public Future<ApiResponse> delete(ApiRequest request) {
    boolean force =
        request.query().word("force", List.of("true", "false")).filter("true"::equals).isPresent();
    return operations
        .delete(
            name(request.path()),
            force,
            EtagPreconditions.ofWrite(request.http()),
            request.auditContext())
        .map(existed -> ApiResponse.empty(existed ? 200 : 204));
  }
}
