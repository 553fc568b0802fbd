package carillon.api.console;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.job.name.JobException;
import carillon.job.name.Quoted;
import carillon.json.PauseCodec;
import carillon.json.text.JsonOut;
import carillon.json.text.Timestamps;
import com.fasterxml.jackson.core.JsonGenerator;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Handlers of {@code GET /forecast}, occurrences to come by the minute and by the hour, and {@code
 * GET /forecast/jobs}, the jobs behind them.
 */
public final class LoadForecastRoutes {
  private static final int MAX_LENGTH = 64;
  private static final int MINUTE_SECONDS = 60;
  private static final int HOUR_SECONDS = 3600;

  /** Default length of a forecast, if the request has only its start. */
  private static final Duration DEFAULT_SPAN = Duration.ofHours(1);

  /** Maximum length of a list. */
  private static final Duration MAX_SPAN = Duration.ofDays(7);

  private final LoadForecast forecast;

  public LoadForecastRoutes(LoadForecast forecast) {
    this.forecast = forecast;
  }

  /** Answers the load of the next week. */
  public Future<ApiResponse> load(ApiRequest request) {
    return forecast
        .load(request.caller().visibility(), request.now())
        .map(load -> ApiResponse.json(200, document(load)));
  }

  private static byte[] document(LoadForecast.Load load) {
    return JsonOut.object(
        json -> {
          json.writeNumberField("jobs", load.jobs());
          json.writeNumberField("maxJobs", LoadForecast.MAX_JOBS);
          json.writeNumberField("notLookedAt", load.notLookedAt());
          json.writeNumberField("others", load.others());
          if (load.until().isPresent()) {
            json.writeStringField("completeUntil", Timestamps.format(load.until().get()));
          }
          write(json, "day", MINUTE_SECONDS, load.minutes());
          write(json, "week", HOUR_SECONDS, load.hours());
        });
  }

  private static void write(
      JsonGenerator json, String name, int widthSeconds, LoadForecast.Counted counted)
      throws IOException {
    json.writeObjectFieldStart(name);
    json.writeStringField("from", Timestamps.format(counted.from()));
    json.writeNumberField("widthSeconds", widthSeconds);
    write(json, "counts", counted.counts());
    if (counted.paused().stream().anyMatch(count -> count > 0)) {
      write(json, "paused", counted.paused());
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, String name, List<Long> counts) throws IOException {
    json.writeArrayFieldStart(name);
    for (long count : counts) {
      json.writeNumber(count);
    }
    json.writeEndArray();
  }

  /** Answers the jobs that run in the time between two instants. */
  public Future<ApiResponse> jobs(ApiRequest request) {
    Instant from = instant(request, "from").orElseGet(request::now);
    Instant until = instant(request, "until").orElseGet(() -> from.plus(DEFAULT_SPAN));
    if (!from.isBefore(until) || Duration.between(from, until).compareTo(MAX_SPAN) > 0) {
      throw JobException.invalid(
          "until: '"
              + Timestamps.format(until)
              + "' must be after from, '"
              + Timestamps.format(from)
              + "', by 7 days at most");
    }
    return forecast
        .jobs(request.caller().visibility(), from, until)
        .map(found -> ApiResponse.json(200, document(found)));
  }

  private static Optional<Instant> instant(ApiRequest request, String name) {
    return request.query().shortText(name, MAX_LENGTH).map(text -> parsed(name, text));
  }

  private static Instant parsed(String name, String text) {
    try {
      return Timestamps.parse(text);
    } catch (DateTimeException e) {
      throw JobException.invalid(name + ": '" + Quoted.of(text) + "' " + Timestamps.RULE);
    }
  }

  private static byte[] document(LoadForecast.Listing found) {
    return JsonOut.object(
        json -> {
          json.writeNumberField("jobs", found.count());
          json.writeNumberField("occurrences", found.occurrences());
          json.writeNumberField("paused", found.paused());
          json.writeNumberField("notLookedAt", found.notLookedAt());
          json.writeArrayFieldStart("value");
          for (LoadForecast.Listed one : found.jobs()) {
            json.writeStartObject();
            json.writeStringField("subscription", one.job().collection().subscription());
            json.writeStringField("group", one.job().collection().group());
            json.writeStringField("collection", one.job().collection().collection());
            json.writeStringField("job", one.job().job());
            json.writeStringField("first", Timestamps.format(one.first()));
            json.writeNumberField("count", one.count());
            json.writeNumberField("paused", one.paused());
            json.writeStringField("schedule", one.schedule());
            PauseCodec.writeWaits(json, one.waits());
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }
}
