package carillon.api.admin;

import carillon.api.admin.HealthChecks.Check;
import carillon.api.admin.HealthChecks.Status;
import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.json.text.JsonOut;
import carillon.store.Stores;
import com.fasterxml.jackson.core.JsonGenerator;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Handlers of the liveness and readiness probes. */
public final class HealthRoutes {
  private final HealthChecks healthChecks;
  private final Stores stores;

  public HealthRoutes(HealthChecks healthChecks, Stores stores) {
    this.healthChecks = healthChecks;
    this.stores = stores;
  }

  /** Answers 200: a process that answers is alive. */
  public Future<ApiResponse> live(ApiRequest request) {
    return Future.succeededFuture(answer(200, "live", List.of(), Map.of()));
  }

  /** Answers 200, or 503 with the reasons. */
  public Future<ApiResponse> ready(ApiRequest request) {
    return healthChecks
        .checks(stores)
        .otherwise(
            failure -> List.of(new Check("health", Status.DOWN, "The health check itself failed.")))
        .map(others -> Stream.concat(Stream.of(redis()), others.stream()).toList())
        .map(
            checks ->
                checks.stream().noneMatch(HealthRoutes::isDown)
                    ? answer(200, "ready", checks, healthChecks.facts())
                    : answer(503, "not ready", checks, healthChecks.facts()));
  }

  /** Check of the connection to Redis, without which a node can do nothing. */
  private Check redis() {
    return Check.downUnless("redis", stores.isUp(), "Redis is not connected.");
  }

  private static boolean isDown(Check check) {
    return check.status() == Status.DOWN;
  }

  private static ApiResponse answer(
      int status, String word, List<Check> checks, Map<String, String> facts) {
    List<String> reasons = checks.stream().filter(HealthRoutes::isDown).map(Check::reason).toList();
    return ApiResponse.json(
        status,
        JsonOut.object(
            json -> {
              json.writeStringField("status", word);
              for (Map.Entry<String, String> fact : facts.entrySet()) {
                json.writeStringField(fact.getKey(), fact.getValue());
              }
              if (!reasons.isEmpty()) {
                JsonOut.writeTexts(json, "reasons", reasons);
              }
              write(json, checks);
            }));
  }

  private static void write(JsonGenerator json, List<Check> checks) throws IOException {
    if (checks.isEmpty()) {
      return;
    }
    json.writeArrayFieldStart("checks");
    for (Check check : checks) {
      json.writeStartObject();
      json.writeStringField("name", check.name());
      json.writeStringField("status", check.status().word());
      if (!check.reason().isEmpty()) {
        json.writeStringField("reason", check.reason());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
