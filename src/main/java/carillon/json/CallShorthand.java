package carillon.json;

import carillon.job.name.JobException;
import carillon.job.name.JobException.Detail;
import carillon.json.text.Dialect;
import carillon.json.text.JsonFields;
import carillon.recurrence.Frequency;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Short form of a job for a single call: {@code {"url": ..., "body": ..., "in": "10s"}}, in one
 * object, with the words of the command line: {@code cron}, {@code every}, {@code count}, {@code
 * at}, {@code tz} and {@code retries}. Use one instance for each call.
 */
final class CallShorthand {
  private static final String URL = "url";
  private static final String START = "startTime";
  private static final String ZONE = "timeZone";
  private static final String RETRY_POLICY = "retryPolicy";
  private static final String RECURRENCE = "recurrence";
  private static final String CRON = "cron";
  private static final String EVERY = "every";
  private static final String COUNT = "count";
  private static final String AT = "at";
  private static final String TZ = "tz";
  private static final String RETRIES = "retries";

  private static final Set<String> OF_JOB =
      Set.of(
          "id", JobShorthand.IN, START, ZONE, "startWithin", "priority", "description", "labels");
  private static final Set<String> OF_ACTION =
      Set.of("timeout", RETRY_POLICY, "successOn", "flow", "errorAction");
  private static final Set<String> OF_REQUEST =
      Set.of("method", "headers", "body", "authentication", "placeholders");
  private static final Set<String> WORDS = Set.of(URL, CRON, EVERY, COUNT, AT, TZ, RETRIES);
  private static final Set<String> KNOWN =
      Set.copyOf(Stream.of(OF_JOB, OF_ACTION, OF_REQUEST, WORDS).flatMap(Set::stream).toList());

  /** Wrong names that clients often try, with the intended word. */
  private static final Map<String, String> MEANT =
      Map.ofEntries(
          Map.entry("uri", URL),
          Map.entry("delay", JobShorthand.IN),
          Map.entry("schedule", CRON),
          Map.entry(RECURRENCE, CRON + "' or '" + EVERY),
          Map.entry("frequency", EVERY),
          Map.entry("interval", EVERY),
          Map.entry("retry", RETRIES),
          Map.entry("retryCount", RETRIES),
          Map.entry("data", "body"),
          Map.entry("payload", "body"),
          Map.entry("json", "body"),
          Map.entry("name", "id"));

  /** Placeholder for a refused address, so that the rest can be checked. */
  private static final String NO_URL = "https://url.invalid/";

  /** Units from the largest on. The first unit that divides the interval is used. */
  private static final Map<Frequency, Duration> UNITS = units();

  /** Places in the job, with the words of the call that set them. */
  private final Map<String, String> places = new LinkedHashMap<>();

  private static Map<Frequency, Duration> units() {
    Map<Frequency, Duration> units = new LinkedHashMap<>();
    units.put(Frequency.DAY, Duration.ofDays(1));
    units.put(Frequency.HOUR, Duration.ofHours(1));
    units.put(Frequency.MINUTE, Duration.ofMinutes(1));
    units.put(Frequency.SECOND, Duration.ofSeconds(1));
    return units;
  }

  /**
   * Returns the native document of the job.
   *
   * @param fields of the same call
   * @param in value of the query, in addition to the document
   */
  Map<String, Object> job(JsonFields fields, Map<String, Object> call, Optional<String> in) {
    fields.allowOnly(KNOWN, MEANT, Dialect.NATIVE);
    Map<String, Object> request = only(call, OF_REQUEST);
    request.put("uri", url(fields));
    places.put("action.request.uri", URL);
    Map<String, Object> action = only(call, OF_ACTION);
    action.put("request", request);
    addRetries(fields, call, action);
    Map<String, Object> job = only(call, OF_JOB);
    job.put("action", action);
    in.ifPresent(wait -> addIn(fields, job, wait));
    addStart(fields, call, job);
    addRecurrence(fields, call, job);
    return job;
  }

  private static String url(JsonFields fields) {
    Optional<String> url = fields.text(URL);
    if (url.isEmpty()) {
      fields.report(fields.missing(URL));
    }
    return url.orElse(NO_URL);
  }

  private static void addIn(JsonFields fields, Map<String, Object> job, String wait) {
    if (job.get(JobShorthand.IN) != null) {
      fields.report(JobException.invalid("in: is in the query and in the body; leave one out"));
    }
    job.put(JobShorthand.IN, wait);
  }

  /** Adds retries with growing pauses, as the command line does. */
  private void addRetries(JsonFields fields, Map<String, Object> call, Map<String, Object> action) {
    Object retries = call.get(RETRIES);
    if (retries == null || isBeside(fields, RETRIES, List.of(RETRY_POLICY), action)) {
      return;
    }
    Map<String, Object> policy = new LinkedHashMap<>();
    if (retries.equals(0L)) {
      policy.put("retryType", "none");
    } else {
      policy.put("retryCount", retries);
    }
    action.put(RETRY_POLICY, policy);
    places.put("action.retryPolicy.retryCount", RETRIES);
  }

  private void addStart(JsonFields fields, Map<String, Object> call, Map<String, Object> job) {
    if (call.get(AT) != null && !isBeside(fields, AT, List.of(START, JobShorthand.IN), job)) {
      job.put(START, call.get(AT));
      places.put(START, AT);
    }
    if (call.get(TZ) != null && !isBeside(fields, TZ, List.of(ZONE), job)) {
      job.put(ZONE, call.get(TZ));
      places.put(ZONE, TZ);
    }
  }

  private void addRecurrence(JsonFields fields, Map<String, Object> call, Map<String, Object> job) {
    Map<String, Object> recurrence = new LinkedHashMap<>();
    if (call.get(CRON) != null) {
      recurrence.put(CRON, call.get(CRON));
    }
    if (call.get(EVERY) != null && !isBeside(fields, EVERY, List.of(CRON), call)) {
      addEvery(fields, recurrence);
    }
    Object count = call.get(COUNT);
    if (count != null && call.get(CRON) == null && call.get(EVERY) == null) {
      fields.report(fields.refusal(COUNT, "needs cron or every beside it"));
    } else if (count != null) {
      recurrence.put(COUNT, count);
    }
    if (!recurrence.isEmpty() && !fields.isRefused(EVERY)) {
      job.put(RECURRENCE, recurrence);
      recurrence.keySet().forEach(name -> places.put(RECURRENCE + "." + name, name));
    }
  }

  /** Adds the interval in the largest exact unit. */
  private static void addEvery(JsonFields fields, Map<String, Object> recurrence) {
    Optional<Duration> distance = fields.duration(EVERY);
    if (distance.isEmpty()) {
      return;
    }
    Duration given = distance.get();
    if (given.toSeconds() < 1 || given.toNanosPart() > 0) {
      fields.report(fields.refusal(EVERY, "must be whole seconds, 1s at least"));
      return;
    }
    Frequency unit =
        UNITS.keySet().stream()
            .filter(one -> given.toSeconds() % UNITS.get(one).toSeconds() == 0)
            .findFirst()
            .orElseThrow();
    long interval = given.dividedBy(UNITS.get(unit));
    if (interval > unit.maxInterval()) {
      String most = unit.maxInterval() + " " + unit.word() + "s";
      String larger = unit == Frequency.DAY ? "" : ", or whole units that are larger";
      fields.report(fields.refusal(EVERY, "must be at most " + most + larger));
      return;
    }
    recurrence.put("frequency", unit.word());
    recurrence.put("interval", interval);
  }

  /** Refuses a word next to another with the same meaning. */
  private static boolean isBeside(
      JsonFields fields, String word, List<String> others, Map<String, Object> given) {
    Optional<String> other = others.stream().filter(name -> given.get(name) != null).findFirst();
    other.ifPresent(
        name ->
            fields.report(fields.refusal(word, "does not go with " + name + "; leave one out")));
    return other.isPresent();
  }

  private static Map<String, Object> only(Map<String, Object> call, Set<String> names) {
    Map<String, Object> found = new LinkedHashMap<>(call);
    found.keySet().retainAll(names);
    return found;
  }

  /** Returns the refusal of the job, with its place in the call. */
  JobException ofCall(JobException refusal) {
    return new JobException(
        refusal.code(),
        ofCall(refusal.getMessage()),
        refusal.details().stream()
            .map(d -> new Detail(d.code(), ofCall(d.message()), ofCall(d.target())))
            .toList());
  }

  private String ofCall(String place) {
    for (Map.Entry<String, String> one : places.entrySet()) {
      String inJob = one.getKey();
      if (place.startsWith(inJob)
          && (place.length() == inJob.length()
              || ":.[".indexOf(place.charAt(inJob.length())) >= 0)) {
        return one.getValue() + place.substring(inJob.length());
      }
    }
    return place.replaceFirst("^action\\.(?:request\\.)?", "");
  }
}
