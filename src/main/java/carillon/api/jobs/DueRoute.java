package carillon.api.jobs;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.job.JobKey;
import carillon.json.JsonOut;
import carillon.json.Timestamps;
import carillon.store.job.UpcomingWork;
import com.fasterxml.jackson.core.JsonGenerator;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;

/** Handler of {@code GET /due}: the next due work of all jobs on this Redis. */
public final class DueRoute {
  private final UpcomingWork list;

  public DueRoute(UpcomingWork list) {
    this.list = list;
  }

  /** Answers the next due work, earliest first. */
  public Future<ApiResponse> due(ApiRequest request) {
    return list.earliest(request.query().top())
        .map(waiting -> ApiResponse.json(200, JsonOut.of(json -> write(json, waiting))));
  }

  private static void write(JsonGenerator json, List<UpcomingWork.WaitingItem> all)
      throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("value");
    for (UpcomingWork.WaitingItem waiting : all) {
      write(json, waiting);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, UpcomingWork.WaitingItem waiting)
      throws IOException {
    List<String> names = new JobKey(waiting.job()).parts();
    json.writeStartObject();
    json.writeStringField("due", Timestamps.format(waiting.due()));
    json.writeStringField("kind", waiting.kind().word());
    String[] fields = {"subscription", "group", "collection", "job"};
    for (int i = 0; i < names.size(); i++) {
      json.writeStringField(fields[i], names.get(i));
    }
    json.writeEndObject();
  }
}
