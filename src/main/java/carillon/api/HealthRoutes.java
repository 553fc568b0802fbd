package carillon.api;

import carillon.codec.JsonBytes;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/** What a load balancer asks: whether the process lives, and whether it can do its work. */
final class HealthRoutes {
  private final Readiness readiness;

  HealthRoutes(Readiness readiness) {
    this.readiness = readiness;
  }

  /** Always 200: whoever can answer lives. */
  static Answer live() {
    return answer(200, "live", List.of(), Map.of());
  }

  /** 200, or 503 with the reasons. */
  Future<Answer> ready() {
    return readiness
        .obstacles()
        .otherwise(failure -> List.of("the health check itself failed"))
        .map(
            reasons ->
                reasons.isEmpty()
                    ? answer(200, "ready", reasons, readiness.facts())
                    : answer(503, "not ready", reasons, readiness.facts()));
  }

  private static Answer answer(
      int status, String word, List<String> reasons, Map<String, String> facts) {
    return Answer.json(
        status,
        JsonBytes.of(
            json -> {
              json.writeStartObject();
              json.writeStringField("status", word);
              for (Map.Entry<String, String> fact : facts.entrySet()) {
                json.writeStringField(fact.getKey(), fact.getValue());
              }
              if (!reasons.isEmpty()) {
                json.writeArrayFieldStart("reasons");
                for (String reason : reasons) {
                  json.writeString(reason);
                }
                json.writeEndArray();
              }
              json.writeEndObject();
            }));
  }
}
