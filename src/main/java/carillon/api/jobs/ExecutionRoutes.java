package carillon.api.jobs;

import carillon.access.Visibility;
import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.QueryParameters;
import carillon.job.AttemptRecord.AttemptFilter;
import carillon.job.AttemptRecord.Running;
import carillon.job.AttemptRecord.State;
import carillon.job.action.Destination;
import carillon.job.action.StatusSet;
import carillon.job.name.CollectionName;
import carillon.job.name.JobException;
import carillon.job.name.JobKey;
import carillon.job.name.NameRules;
import carillon.job.name.Quoted;
import carillon.job.name.WireWord;
import carillon.json.text.DurationFormats;
import carillon.json.text.Timestamps;
import carillon.json.view.AttemptRecordCodec;
import carillon.store.attempt.AttemptLog;
import carillon.store.attempt.RunningAttempts;
import io.vertx.core.Future;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Handlers of {@code GET /executions}, which lists attempts of all jobs or of a collection. It
 * lists failed, slow or recovered attempts, newest first, or attempts in flight. Callers see only
 * what they may read.
 */
public final class ExecutionRoutes {
  private static final int MAX_NAME_LENGTH = 300;
  private static final List<String> STATES =
      Stream.concat(Arrays.stream(State.values()).map(State::word), Stream.of(Running.STATE))
          .toList();

  /** Parameters about the end of an attempt. */
  private static final List<String> OF_ENDED = List.of("destination", "code", "since", "until");

  private static final Pattern DESTINATION =
      Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^\\s/:@\\[\\]]+):[0-9]{1,5}");
  private static final Pattern CODE = Pattern.compile("[1-5](xx|\\d\\d)");

  private final JobOperations operations;
  private final AttemptLog log;
  private final RunningAttempts running;

  public ExecutionRoutes(JobOperations operations, AttemptLog log, RunningAttempts running) {
    this.operations = operations;
    this.log = log;
    this.running = running;
  }

  /** Lists the attempts of all jobs that the caller may read. */
  public Future<ApiResponse> list(ApiRequest request) {
    return page(request, collection(request.query()));
  }

  /** Lists the attempts of one collection. */
  public Future<ApiResponse> listOfCollection(ApiRequest request) {
    return operations
        .resolve(request.path().collection())
        .compose(collection -> page(request, collection.key()));
  }

  /** The filter that a query for ended attempts of all jobs gives. */
  public static AttemptFilter filter(QueryParameters query, Instant now) {
    return filter(query, collection(query), now);
  }

  private static String collection(QueryParameters query) {
    return query.shortText("collection", MAX_NAME_LENGTH).map(ExecutionRoutes::key).orElse("");
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
    return query.word("state", STATES).filter(Running.STATE::equals).isPresent()
        ? runningPage(request, collection)
        : endedPage(request, collection);
  }

  private Future<ApiResponse> runningPage(ApiRequest request, String collection) {
    QueryParameters query = request.query();
    Visibility visible = request.caller().visibility();
    for (String name : OF_ENDED) {
      query
          .shortText(name, MAX_NAME_LENGTH)
          .ifPresent(
              text -> {
                throw JobException.invalid(
                    name + ": '" + Quoted.of(text) + "' does not go with state=running");
              });
    }
    return running
        .page(
            new RunningAttempts.Query(
                object(query, collection),
                job -> visible.includes(new JobKey(job)),
                query.after(),
                query.top()))
        .map(
            page ->
                ApiResponse.json(
                    200,
                    AttemptRecordCodec.runningPage(
                        page.attempts(), page.after().map(request::nextLink))));
  }

  private Future<ApiResponse> endedPage(ApiRequest request, String collection) {
    QueryParameters query = request.query();
    Visibility visible = request.caller().visibility();
    return log.page(
            filter(query, collection, request.now()),
            one -> visible.includes(new JobKey(one.job())),
            query.after(),
            query.top())
        .map(
            page ->
                ApiResponse.json(
                    200,
                    AttemptRecordCodec.page(page.attempts(), page.after().map(request::nextLink))));
  }

  /** Key of a collection, or of the job of it that is named. */
  private static String object(QueryParameters query, String collection) {
    Optional<String> job = query.shortText("job", MAX_NAME_LENGTH);
    if (job.isPresent() && collection.isEmpty()) {
      throw JobException.invalid("job: '" + Quoted.of(job.get()) + "' needs a collection");
    }
    job.ifPresent(name -> NameRules.check("job", name));
    return job.map(name -> collection + "/" + name.toLowerCase(Locale.ROOT)).orElse(collection);
  }

  private static AttemptFilter filter(QueryParameters query, String collection, Instant now) {
    String object = object(query, collection);
    Optional<Instant> since = instant(query, "since", now);
    Optional<Instant> until = instant(query, "until", now);
    if (since.isPresent() && until.filter(since.get()::isAfter).isPresent()) {
      throw JobException.invalid(
          "since: '"
              + Quoted.of(query.text("since").orElseThrow())
              + "' must not be later than until, '"
              + Quoted.of(query.text("until").orElseThrow())
              + "'");
    }
    return new AttemptFilter(
        object,
        query.word("state", STATES).flatMap(word -> WireWord.find(State.class, word)),
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

  private static Optional<Instant> instant(QueryParameters query, String name, Instant now) {
    return query.shortText(name, MAX_NAME_LENGTH).map(text -> parsed(name, text, now));
  }

  /** Reads an instant, or a duration before now. */
  private static Instant parsed(String name, String text, Instant now) {
    try {
      Optional<Duration> ago = DurationFormats.parse(text);
      return ago.isPresent() ? now.minus(ago.get()) : Timestamps.parse(text);
    } catch (DateTimeException | ArithmeticException e) {
      throw JobException.invalid(
          name + ": '" + Quoted.of(text) + "' " + Timestamps.RULE + ", or a duration such as 1h");
    }
  }
}
