package carillon.api.jobs;

import carillon.access.Visibility;
import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.job.StoredJob;
import carillon.job.action.RetryPolicy;
import carillon.job.attempt.Attempt;
import carillon.job.collection.Hold;
import carillon.job.collection.Hold.Holds;
import carillon.job.name.CollectionName;
import carillon.job.name.JobKey;
import carillon.json.PauseCodec;
import carillon.json.text.JsonOut;
import carillon.json.text.Timestamps;
import carillon.store.Stores;
import carillon.store.collection.HoldReader;
import carillon.store.job.UpcomingWork;
import carillon.store.job.UpcomingWork.Earliest;
import carillon.store.job.UpcomingWork.Kind;
import carillon.store.job.UpcomingWork.WaitingItem;
import com.fasterxml.jackson.core.JsonGenerator;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Handlers of upcoming work. {@code GET /due} lists the next due work of all jobs that the caller
 * may read. {@code GET .../waiting} lists the waiting attempts of one job.
 */
public final class DueRoute {
  /** Kinds that a pause does not hold back. */
  private static final Set<Kind> RUNS_NOTHING = EnumSet.of(Kind.RESUME, Kind.PURGE);

  private final UpcomingWork list;
  private final HoldReader holds;
  private final JobOperations operations;
  private final RetryPolicy.Repeating standard;

  /**
   * Creates the handlers.
   *
   * @param standard the retry policy of jobs without one
   */
  public DueRoute(Stores stores, JobOperations operations, RetryPolicy.Repeating standard) {
    this.list = stores.job().upcomingWork();
    this.holds = stores.collection().holds();
    this.operations = operations;
    this.standard = standard;
  }

  /** Answers the next due work that the caller may read, earliest first. */
  public Future<ApiResponse> due(ApiRequest request) {
    int top = request.query().top(UpcomingWork.MAX_EARLIEST);
    Visibility visible = request.caller().visibility();
    return (visible.isAll()
            ? list.earliest(top).map(all -> new Earliest(all, Optional.empty()))
            : list.earliest(visible::includes, top))
        .compose(found -> answer(found, OptionalInt.empty()));
  }

  /** Answers the waiting attempts of a job, earliest first. */
  public Future<ApiResponse> waiting(ApiRequest request) {
    return operations
        .get(request.path().job())
        .compose(
            job ->
                list.ofJob(job.name().key())
                    .compose(
                        all ->
                            answer(
                                new Earliest(all, Optional.empty()),
                                OptionalInt.of(maxAttempts(job)))));
  }

  private int maxAttempts(StoredJob job) {
    return job.definition().action().retryPolicy().orDefault(standard).count() + 1;
  }

  private Future<ApiResponse> answer(Earliest all, OptionalInt maxAttempts) {
    return holds
        .of(all.items().stream().map(DueRoute::collection).toList())
        .map(waits -> ApiResponse.json(200, document(all, maxAttempts, waits)));
  }

  private static CollectionName collection(WaitingItem waiting) {
    return new JobKey(waiting.job()).jobName().collection();
  }

  private static byte[] document(Earliest all, OptionalInt maxAttempts, Holds holds) {
    return JsonOut.object(
        json -> {
          json.writeArrayFieldStart("value");
          for (WaitingItem waiting : all.items()) {
            Optional<Hold> waits =
                RUNS_NOTHING.contains(waiting.kind())
                    ? Optional.empty()
                    : holds.at(collection(waiting), waiting.due());
            write(json, waiting, maxAttempts, waits);
          }
          json.writeEndArray();
          JsonOut.writeInstant(json, "completeUntil", all.until());
        });
  }

  private static void write(
      JsonGenerator json, WaitingItem waiting, OptionalInt maxAttempts, Optional<Hold> waits)
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
    PauseCodec.writeWaits(json, waits);
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
