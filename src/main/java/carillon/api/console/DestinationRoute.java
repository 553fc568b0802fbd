package carillon.api.console;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.json.text.JsonOut;
import carillon.json.text.Timestamps;
import carillon.store.operation.DestinationCounts;
import com.fasterxml.jackson.core.JsonGenerator;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;

/** Handler of {@code GET /destinations}: the hosts that all nodes called in the last minutes. */
public final class DestinationRoute {
  private static final int MINUTE_SECONDS = 60;

  private final DestinationService service;

  public DestinationRoute(DestinationService service) {
    this.service = service;
  }

  /** Answers the destinations, those with the most attempts first. */
  public Future<ApiResponse> list(ApiRequest request) {
    return service
        .recent(request.now())
        .map(recent -> ApiResponse.json(200, document(recent, request.now())));
  }

  private static byte[] document(DestinationService.Recent recent, Instant now) {
    return JsonOut.object(
        json -> {
          json.writeStringField("time", Timestamps.format(now));
          json.writeStringField("from", Timestamps.format(recent.from()));
          json.writeNumberField("widthSeconds", MINUTE_SECONDS);
          json.writeBooleanField("allDestinations", recent.isAll());
          json.writeArrayFieldStart("value");
          for (DestinationService.Called one : recent.destinations()) {
            write(json, one);
          }
          json.writeEndArray();
        });
  }

  private static void write(JsonGenerator json, DestinationService.Called one) throws IOException {
    json.writeStartObject();
    json.writeStringField("destination", one.name());
    json.writeNumberField("completed", one.all().completed());
    json.writeNumberField("failed", one.all().failed());
    json.writeNumberField("inFlight", one.all().inFlight());
    writeDuration(json, "durationP50", one.all().durationOf(0.5));
    writeDuration(json, "durationP99", one.all().durationOf(0.99));
    writeCounts(json, "completedByMinute", one.minutes(), DestinationCounts::completed);
    writeCounts(json, "failedByMinute", one.minutes(), DestinationCounts::failed);
    json.writeArrayFieldStart("flows");
    for (DestinationService.Passed passed : one.flows()) {
      json.writeStartObject();
      json.writeStringField("subscription", passed.flow().name().subscription());
      json.writeStringField("group", passed.flow().name().group());
      json.writeStringField("flow", passed.flow().name().flow());
      json.writeStringField("breaker", passed.breaker().word());
      json.writeBooleanField("paused", passed.flow().pause().isPresent());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void writeDuration(JsonGenerator json, String name, OptionalDouble seconds)
      throws IOException {
    if (seconds.isPresent()) {
      json.writeNumberField(name, seconds.getAsDouble());
    }
  }

  private static void writeCounts(
      JsonGenerator json,
      String name,
      List<DestinationCounts> minutes,
      ToLongFunction<DestinationCounts> count)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (DestinationCounts minute : minutes) {
      json.writeNumber(count.applyAsLong(minute));
    }
    json.writeEndArray();
  }
}
