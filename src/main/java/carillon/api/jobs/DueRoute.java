package carillon.api.jobs;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.job.Attempt;
import carillon.job.JobKey;
import carillon.job.RetryPolicy;
import carillon.job.StoredJob;
import carillon.json.JsonOut;
import carillon.json.Timestamps;
import carillon.store.job.UpcomingWork;
import carillon.store.job.UpcomingWork.WaitingItem;
import com.fasterxml.jackson.core.JsonGenerator;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;

/**
 * Handlers of what comes next: {@code GET /due}, the next due work of all jobs on this Redis, and
 * {@code GET .../waiting}, the attempts of one job that wait.
 */
public final class DueRoute {
  private final UpcomingWork list;
  private final JobOperations operations;
  private final RetryPolicy.Repeating standard;

  /**
   * Handlers over a list.
   *
   * @param standard the retry policy of jobs that give none
   */
  public DueRoute(UpcomingWork list, JobOperations operations, RetryPolicy.Repeating standard) {
    this.list = list;
    this.operations = operations;
    this.standard = standard;
  }

  /** Answers the next due work, earliest first. */
  public Future<ApiResponse> due(ApiRequest request) {
    return list.earliest(request.query().top(UpcomingWork.MAX_EARLIEST))
        .map(all -> answer(all, OptionalInt.empty()));
  }

  /** Answers what waits of a job, earliest first. */
  public Future<ApiResponse> waiting(ApiRequest request) {
    return operations
        .get(request.path().job())
        .compose(
            job ->
                list.ofJob(job.name().key())
                    .map(all -> answer(all, OptionalInt.of(maxAttempts(job)))));
  }

  private int maxAttempts(StoredJob job) {
    return job.definition().action().retryPolicy().orDefault(standard).count() + 1;
  }

  private static ApiResponse answer(List<WaitingItem> all, OptionalInt maxAttempts) {
    return ApiResponse.json(200, JsonOut.of(json -> write(json, all, maxAttempts)));
  }

  private static void write(JsonGenerator json, List<WaitingItem> all, OptionalInt maxAttempts)
      throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("value");
    for (WaitingItem waiting : all) {
      write(json, waiting, maxAttempts);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, WaitingItem waiting, OptionalInt maxAttempts)
      throws IOException {
    List<String> names = new JobKey(waiting.job()).parts();
    json.writeStartObject();
    json.writeStringField("due", Timestamps.format(waiting.due()));
    json.writeStringField("kind", waiting.kind().word());
    String[] fields = {"subscription", "group", "collection", "job"};
    for (int i = 0; i < names.size(); i++) {
      json.writeStringField(fields[i], names.get(i));
    }
    if (waiting.attempt().isPresent()) {
      writeAttempt(json, waiting.attempt().get(), maxAttempts);
    }
    if (waiting.flow().isPresent()) {
      String flow = waiting.flow().get();
      json.writeStringField("flow", flow.substring(flow.lastIndexOf('/') + 1));
    }
    json.writeEndObject();
  }

  /** The bound is that of the job's own action; an error action may have another. */
  private static void writeAttempt(JsonGenerator json, Attempt attempt, OptionalInt maxAttempts)
      throws IOException {
    json.writeNumberField("attempt", attempt.number());
    if (maxAttempts.isPresent() && attempt.phase() == Attempt.Phase.MAIN) {
      json.writeNumberField("maxAttempts", maxAttempts.getAsInt());
    }
  }
}
