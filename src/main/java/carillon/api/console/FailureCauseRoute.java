package carillon.api.console;

import carillon.access.Visibility;
import carillon.api.console.FailureCauses.FailedJob;
import carillon.api.console.FailureCauses.Group;
import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.QueryParameters;
import carillon.api.jobs.ExecutionRoutes;
import carillon.bounded.AsyncLoops;
import carillon.job.AttemptRecord;
import carillon.job.AttemptRecord.AttemptFilter;
import carillon.job.AttemptRecord.State;
import carillon.job.name.JobKey;
import carillon.job.name.ShortName;
import carillon.json.text.JsonOut;
import carillon.json.text.Timestamps;
import carillon.store.Stores;
import carillon.store.job.JobListing.SinceFailure;
import com.fasterxml.jackson.core.JsonGenerator;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Handler of {@code GET /executions/causes}: groups the executions that finally failed by
 * destination and cause, with the jobs of each group. Callers see only what they may read.
 */
public final class FailureCauseRoute {
  private static final int MAX_TEXT_LENGTH = 200;

  /** Maximum number of failures that are examined, newest first. */
  private static final int MAX_FAILURES = 5000;

  private static final int PAGE = 1000;

  /** Maximum number of pages of the attempt log that one request reads. */
  private static final int MAX_PAGES = 8;

  private static final int DEFAULT_JOBS = 3;

  private final Stores stores;

  public FailureCauseRoute(Stores stores) {
    this.stores = stores;
  }

  /** Answers the groups. */
  public Future<ApiResponse> list(ApiRequest request) {
    QueryParameters query = request.query();
    AttemptFilter filter = ExecutionRoutes.filter(query, request.now()).with(State.FAILED);
    Optional<String> text =
        query.shortText("message", MAX_TEXT_LENGTH).map(FailureCauseRoute::lower);
    String cause = query.shortText("cause", MAX_TEXT_LENGTH).orElse("");
    int jobs = query.count("jobs", MAX_FAILURES, DEFAULT_JOBS);
    int top = query.top();
    Visibility visible = request.caller().visibility();
    LogReader log =
        new LogReader(
            filter,
            one ->
                visible.includes(new JobKey(one.job()))
                    && text.filter(part -> !lower(one.entry().message()).contains(part)).isEmpty());
    return AsyncLoops.whileMore(log::readPage)
        .compose(read -> lookAt(log.causes.groups(cause)))
        .map(known -> ApiResponse.json(200, document(log, log.causes.groups(cause), top, jobs)));
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  /** Reader of the log of attempts, from the newest failure on. */
  private final class LogReader {
    private final FailureCauses causes = new FailureCauses();
    private final AttemptFilter filter;
    private final Predicate<AttemptRecord> isWanted;
    private String after = "";
    private int pages;

    LogReader(AttemptFilter filter, Predicate<AttemptRecord> isWanted) {
      this.filter = filter;
      this.isWanted = isWanted;
    }

    /** Reads a page. Returns true if another page follows. */
    Future<Boolean> readPage() {
      return stores
          .attempt()
          .attemptLog()
          .page(filter, isWanted, after, PAGE)
          .map(
              page -> {
                page.attempts().forEach(causes::add);
                after = page.after().orElse("");
                pages++;
                return hasMore() && causes.executions() < MAX_FAILURES && pages < MAX_PAGES;
              });
    }

    /** Whether older failures were not examined. */
    boolean hasMore() {
      return !after.isEmpty();
    }
  }

  /** Asks for each job whether it still fails. A job without an answer counts as failing. */
  private Future<Void> lookAt(List<Group> groups) {
    return AsyncLoops.concurrently(
        groups.stream().flatMap(group -> group.jobs().stream()).toList(),
        job ->
            stores
                .job()
                .jobListing()
                .sinceFailure(new JobKey(job.last().job()).jobName())
                .otherwise(SinceFailure.FAILING)
                .map(
                    state -> {
                      job.set(state);
                      return null;
                    }));
  }

  private static byte[] document(LogReader log, List<Group> groups, int top, int jobs) {
    return JsonOut.object(
        json -> {
          json.writeFieldName("value");
          JsonOut.writeItems(
              json,
              groups.subList(0, Math.min(top, groups.size())),
              (out, group) -> write(out, group, jobs));
          json.writeNumberField("causeCount", groups.size());
          json.writeNumberField("executionCount", log.causes.executions());
          json.writeBooleanField("truncated", log.hasMore());
        });
  }

  private static void write(JsonGenerator json, Group group, int jobs) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", group.cause().id());
    if (!group.cause().destination().isEmpty()) {
      json.writeStringField("destination", group.cause().destination());
    }
    if (group.cause().statusCode().isPresent()) {
      json.writeNumberField("statusCode", group.cause().statusCode().getAsInt());
    }
    if (!group.cause().errorCode().isEmpty()) {
      json.writeStringField("errorCode", group.cause().errorCode());
    }
    json.writeStringField("message", group.message());
    json.writeNumberField("executionCount", group.executions());
    List<FailedJob> all = group.jobs();
    json.writeNumberField("jobCount", all.size());
    json.writeNumberField("failingJobCount", group.failing());
    json.writeStringField("firstTime", Timestamps.format(group.first()));
    json.writeStringField("lastTime", Timestamps.format(group.last()));
    json.writeFieldName("jobs");
    JsonOut.writeItems(json, all.subList(0, Math.min(jobs, all.size())), FailureCauseRoute::write);
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, FailedJob job) throws IOException {
    List<String> key = new JobKey(job.last().job()).parts();
    ShortName name = ShortName.parse(job.last().name());
    json.writeStartObject();
    json.writeStringField("subscription", key.get(0));
    json.writeStringField("group", key.get(1));
    json.writeStringField("collection", name.collection());
    json.writeStringField("job", name.job());
    json.writeStringField("link", link(key.get(0), key.get(1), name));
    json.writeStringField("state", lower(job.state().name()));
    json.writeNumberField("executionCount", job.executions());
    json.writeStringField("lastTime", Timestamps.format(job.last().entry().end()));
    json.writeStringField("message", job.last().entry().message());
    json.writeEndObject();
  }

  /** Path of the job. Names need no encoding. */
  private static String link(String subscription, String group, ShortName name) {
    boolean isDefault = subscription.equals("default") && group.equals("default");
    return (isDefault ? "" : "/groups/" + subscription + "/" + group)
        + "/jobcollections/"
        + name.collection()
        + "/jobs/"
        + name.job();
  }
}
