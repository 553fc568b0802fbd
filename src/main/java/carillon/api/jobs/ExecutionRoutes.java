package carillon.api.jobs;

import carillon.access.Caller;
import carillon.access.Role;
import carillon.access.Scope;
import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.QueryParameters;
import carillon.job.CollectionName;
import carillon.job.Destination;
import carillon.job.ExecutionRecord;
import carillon.job.ExecutionRecord.ExecutionFilter;
import carillon.job.ExecutionRecord.State;
import carillon.job.JobException;
import carillon.job.JobKey;
import carillon.job.NameRules;
import carillon.job.Quoted;
import carillon.job.StatusSet;
import carillon.json.Timestamps;
import carillon.json.view.ExecutionCodec;
import carillon.store.job.ExecutionLog;
import io.vertx.core.Future;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Handlers of {@code GET /executions}, of all jobs, and of those of a collection: what failed, was
 * slow or recovered, newest first. A caller is shown what they may read.
 */
public final class ExecutionRoutes {
  private static final int MAX_NAME_LENGTH = 300;
  private static final List<String> STATES =
      Arrays.stream(State.values()).map(State::word).toList();
  private static final Pattern DESTINATION =
      Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^\\s/:@\\[\\]]+):[0-9]{1,5}");
  private static final Pattern CODE = Pattern.compile("[1-5](xx|\\d\\d)");

  private final JobOperations operations;
  private final ExecutionLog log;

  public ExecutionRoutes(JobOperations operations, ExecutionLog log) {
    this.operations = operations;
    this.log = log;
  }

  /** Lists those of all jobs that the caller may read. */
  public Future<ApiResponse> list(ApiRequest request) {
    String collection = request.query().shortText("collection", MAX_NAME_LENGTH).orElse("");
    return page(request, collection.isEmpty() ? "" : key(collection));
  }

  /** Lists those of one collection. */
  public Future<ApiResponse> listOfCollection(ApiRequest request) {
    return operations
        .resolve(request.path().collection())
        .compose(collection -> page(request, collection.key()));
  }

  /** A name alone is that of a collection of the default group. */
  private static String key(String collection) {
    try {
      String full = collection.contains("/") ? collection : "default/default/" + collection;
      if (full.split("/", -1).length > 3) {
        throw new IllegalArgumentException("more than a collection");
      }
      return CollectionName.parse(full.toLowerCase(Locale.ROOT)).key();
    } catch (RuntimeException e) {
      throw JobException.invalid(
          "collection: '"
              + Quoted.of(collection)
              + "' must be a name, or subscription/group/collection");
    }
  }

  private Future<ApiResponse> page(ApiRequest request, String collection) {
    QueryParameters query = request.query();
    return log.page(
            filter(query, collection),
            one -> mayRead(request.caller(), one),
            query.after(),
            query.top())
        .map(
            page ->
                ApiResponse.json(
                    200,
                    ExecutionCodec.page(page.executions(), page.after().map(request::nextLink))));
  }

  private static ExecutionFilter filter(QueryParameters query, String collection) {
    Optional<String> job = query.shortText("job", MAX_NAME_LENGTH);
    if (job.isPresent() && collection.isEmpty()) {
      throw JobException.invalid("job: '" + Quoted.of(job.get()) + "' needs a collection");
    }
    job.ifPresent(name -> NameRules.check("job", name));
    Optional<Instant> since = instant(query, "since");
    Optional<Instant> until = instant(query, "until");
    if (since.isPresent() && until.filter(since.get()::isAfter).isPresent()) {
      throw JobException.invalid(
          "since: '"
              + Quoted.of(query.text("since").orElseThrow())
              + "' must not be later than until, '"
              + Quoted.of(query.text("until").orElseThrow())
              + "'");
    }
    return new ExecutionFilter(
        job.map(name -> collection + "/" + name.toLowerCase(Locale.ROOT)).orElse(collection),
        query.word("state", STATES).flatMap(State::of),
        query.shortText("destination", MAX_NAME_LENGTH).map(ExecutionRoutes::destination),
        query.shortText("code", MAX_NAME_LENGTH).map(ExecutionRoutes::codes),
        since,
        until);
  }

  private static String destination(String text) {
    if (!DESTINATION.matcher(text).matches()
        && !text.equalsIgnoreCase(Destination.OWN_QUEUES.authority())) {
      throw JobException.invalid(
          "destination: '"
              + Quoted.of(text)
              + "' must be host:port, as entries have it, or "
              + Destination.OWN_QUEUES.authority());
    }
    return text;
  }

  private static StatusSet codes(String text) {
    String code = text.toLowerCase(Locale.ROOT);
    if (!CODE.matcher(code).matches()) {
      throw JobException.invalid(
          "code: '" + Quoted.of(text) + "' must be a status such as 404, or a class such as 5xx");
    }
    return new StatusSet(List.of(code));
  }

  private static Optional<Instant> instant(QueryParameters query, String name) {
    return query.shortText(name, MAX_NAME_LENGTH).map(text -> parsed(name, text));
  }

  private static Instant parsed(String name, String text) {
    try {
      return Timestamps.parse(text);
    } catch (DateTimeException e) {
      throw JobException.invalid(name + ": '" + Quoted.of(text) + "' " + Timestamps.RULE);
    }
  }

  private static boolean mayRead(Caller caller, ExecutionRecord execution) {
    List<String> names = new JobKey(execution.job()).parts();
    return caller.may(Role.READER, new Scope(names.get(0), names.get(1), names.get(2)));
  }
}
