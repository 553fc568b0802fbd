package carillon.api;

import carillon.codec.JsonBytes;
import carillon.codec.Timestamps;
import carillon.store.DueList;
import com.fasterxml.jackson.core.JsonGenerator;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.util.List;

/** {@code GET /due}: what comes next, of all jobs on this Redis. */
final class DueRoute {
  private final DueList list;

  DueRoute(DueList list) {
    this.list = list;
  }

  Future<Answer> due(HttpServerRequest http) {
    if (!http.method().name().equals("GET")) {
      throw HttpRefusal.methodNotAllowed(http.method().name(), "GET");
    }
    return list.earliest(Query.parse(http.query()).top())
        .map(waiting -> Answer.json(200, JsonBytes.of(json -> write(json, waiting))));
  }

  private static void write(JsonGenerator json, List<DueList.Waiting> all) throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("value");
    for (DueList.Waiting waiting : all) {
      write(json, waiting);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, DueList.Waiting waiting) throws IOException {
    String[] names = waiting.job().split("/", 4);
    json.writeStartObject();
    json.writeStringField("due", Timestamps.format(waiting.due()));
    json.writeStringField("kind", waiting.kind().word());
    String[] fields = {"subscription", "group", "collection", "job"};
    for (int i = 0; i < names.length; i++) {
      json.writeStringField(fields[i], names[i]);
    }
    json.writeEndObject();
  }
}
