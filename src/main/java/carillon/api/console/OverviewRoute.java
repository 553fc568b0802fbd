package carillon.api.console;

import carillon.access.Scope;
import carillon.access.Visibility;
import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.job.name.JobException;
import carillon.job.name.Quoted;
import carillon.json.text.JsonOut;
import carillon.json.text.Timestamps;
import carillon.json.view.SearchWriter;
import carillon.store.operation.ActivityCounts;
import carillon.store.operation.Statistics;
import com.fasterxml.jackson.core.JsonGenerator;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Handler of {@code GET /overview}: jobs, load, nodes, Redis and alerts at a glance. */
public final class OverviewRoute {
  /** Fields of INFO that are passed on, with their names in the response. */
  private static final Map<String, String> TEXTS =
      Map.of("redis_version", "version", "role", "role", "maxmemory_policy", "policy");

  private static final Map<String, String> NUMBERS =
      Map.of(
          "used_memory", "usedMemory",
          "used_memory_peak", "peakMemory",
          "maxmemory", "maxMemory",
          "connected_clients", "clients",
          "instantaneous_ops_per_sec", "commandsPerSecond",
          "connected_slaves", "replicas",
          "uptime_in_seconds", "uptimeSeconds",
          "aof_enabled", "appendOnly");

  private static final String SCOPE = "scope";

  /** The subscription of the native paths. */
  private static final String DEFAULT = "default";

  private final OverviewService overview;

  public OverviewRoute(OverviewService overview) {
    this.overview = overview;
  }

  public Future<ApiResponse> overview(ApiRequest request) {
    return overview
        .facts(scope(request), request.caller().visibility(), request.now())
        .map(facts -> ApiResponse.json(200, document(facts)));
  }

  private static Scope scope(ApiRequest request) {
    String text = request.query().text(SCOPE).orElseGet(() -> own(request.caller().visibility()));
    try {
      Scope scope = Scope.ofPath(text);
      if (scope.isWhole()) {
        return scope;
      }
    } catch (IllegalArgumentException e) {
      // Said below, with what may be asked for here.
    }
    throw JobException.invalid(
        SCOPE + ": '" + Quoted.of(text) + "' must be subscription or subscription/group");
  }

  /** Returns the subscription for a request without one: the default, or the first visible one. */
  private static String own(Visibility visible) {
    return visible.meets(Scope.subscription(DEFAULT)) || visible.scopes().isEmpty()
        ? DEFAULT
        : visible.scopes().get(0).subscription();
  }

  private static byte[] document(OverviewService.Facts facts) {
    return JsonOut.object(
        json -> {
          json.writeStringField("time", Timestamps.format(facts.at()));
          json.writeStringField(SCOPE, facts.jobs().scope().path());
          json.writeNumberField(
              "collections", facts.jobs().collections().size() + facts.jobs().damaged().size());
          json.writeBooleanField("allCollections", facts.jobs().isAll());
          json.writeObjectFieldStart("jobs");
          SearchWriter.writeCounts(json, facts.jobs().byState());
          json.writeEndObject();
          if (facts.isOfAll()) {
            writeOverall(json, facts);
          }
          writeAttention(json, OperatorAlerts.of(facts));
        });
  }

  private static void writeOverall(JsonGenerator json, OverviewService.Facts facts)
      throws IOException {
    json.writeObjectFieldStart("due");
    writeDue(json, "hour", facts.overall().hour());
    writeDue(json, "day", facts.overall().day());
    json.writeEndObject();
    writeDone(json, facts);
    json.writeArrayFieldStart("redis");
    for (Map<String, String> server : facts.overall().redis()) {
      writeServer(json, server);
    }
    json.writeEndArray();
    json.writeObjectFieldStart("facts");
    for (Map.Entry<String, String> fact : facts.facts().entrySet()) {
      json.writeStringField(fact.getKey(), fact.getValue());
    }
    json.writeEndObject();
  }

  private static void writeDue(JsonGenerator json, String name, Statistics.Due due)
      throws IOException {
    json.writeObjectFieldStart(name);
    json.writeStringField("from", Timestamps.format(due.from()));
    json.writeNumberField("widthSeconds", due.width().toSeconds());
    json.writeNumberField("before", due.before());
    json.writeArrayFieldStart("counts");
    for (long count : due.counts()) {
      json.writeNumber(count);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void writeDone(JsonGenerator json, OverviewService.Facts facts)
      throws IOException {
    json.writeObjectFieldStart("done");
    json.writeStringField(
        "from",
        Timestamps.format(
            facts
                .overall()
                .hour()
                .from()
                .minus(facts.overall().done().size() - 1L, ChronoUnit.MINUTES)));
    json.writeNumberField("widthSeconds", facts.overall().hour().width().toSeconds());
    json.writeArrayFieldStart("completed");
    for (ActivityCounts minute : facts.overall().done()) {
      json.writeNumber(minute.completed());
    }
    json.writeEndArray();
    json.writeArrayFieldStart("failed");
    for (ActivityCounts minute : facts.overall().done()) {
      json.writeNumber(minute.failed());
    }
    json.writeEndArray();
    ActivityCounts all =
        facts.overall().done().stream().reduce(ActivityCounts.NONE, ActivityCounts::plus);
    writeLateness(json, "latenessP50", all.latenessOf(0.5));
    writeLateness(json, "latenessP99", all.latenessOf(0.99));
    json.writeEndObject();
  }

  private static void writeLateness(JsonGenerator json, String name, OptionalDouble seconds)
      throws IOException {
    if (seconds.isPresent()) {
      json.writeNumberField(name, seconds.getAsDouble());
    }
  }

  private static void writeServer(JsonGenerator json, Map<String, String> server)
      throws IOException {
    json.writeStartObject();
    for (Map.Entry<String, String> text : TEXTS.entrySet()) {
      json.writeStringField(text.getValue(), server.getOrDefault(text.getKey(), ""));
    }
    for (Map.Entry<String, String> number : NUMBERS.entrySet()) {
      String value = server.getOrDefault(number.getKey(), "");
      if (value.matches("\\d{1,18}")) {
        json.writeNumberField(number.getValue(), Long.parseLong(value));
      }
    }
    json.writeEndObject();
  }

  private static void writeAttention(JsonGenerator json, List<OperatorAlerts.Item> items)
      throws IOException {
    json.writeArrayFieldStart("attention");
    for (OperatorAlerts.Item item : items) {
      json.writeStartObject();
      json.writeStringField("level", item.level().word());
      json.writeStringField("what", item.what());
      json.writeStringField("why", item.why());
      if (!item.link().isEmpty()) {
        json.writeStringField("link", item.link());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
