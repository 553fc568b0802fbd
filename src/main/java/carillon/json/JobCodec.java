package carillon.json;

import static carillon.json.text.Dialect.Switch.BARE_LISTS;
import static carillon.json.text.Dialect.Switch.ENVELOPED;
import static carillon.json.text.Dialect.Switch.EXTENSIONS;
import static carillon.json.text.Dialect.Switch.NO_STATUS_IN_CHANGES;
import static carillon.json.text.Dialect.Switch.STRICT;

import carillon.job.JobDefinition;
import carillon.job.Pause.PauseOptions;
import carillon.job.StoredJob;
import carillon.job.StoredJob.DamagedJob;
import carillon.job.action.Destination;
import carillon.job.action.TraceContext;
import carillon.job.collection.Hold;
import carillon.job.collection.Hold.Holds;
import carillon.job.name.JobException;
import carillon.job.name.JobKey;
import carillon.job.name.JobName;
import carillon.job.name.JobState;
import carillon.json.JobDefinitionCodec.MetadataCodec;
import carillon.json.action.TargetPolicy;
import carillon.json.schedule.JobCalendarsCodec;
import carillon.json.schedule.OccurrencePolicyCodec;
import carillon.json.schedule.ScheduleLimits;
import carillon.json.text.Dialect;
import carillon.json.text.Dialect.ResourceId;
import carillon.json.text.EnumNames;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.json.text.Refusals;
import carillon.json.text.StrictJsonParser;
import carillon.json.text.SubmissionLimits;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Codec of jobs: reads submissions in one dialect, and writes its answers, compact and in the
 * service's order of properties. Refuses documents that break a rule with INVALID.
 */
public final class JobCodec {
  private static final String MALFORMED = "Malformed Job Object";
  private static final EnumNames<JobState> STATES = EnumNames.of(JobState.class);

  /**
   * Properties of a job. Answers contain {@code status}, {@code pause} and {@code waits}, and
   * requests may repeat them.
   */
  private static final Set<String> KNOWN =
      Set.of(
          "id",
          "startTime",
          "timeZone",
          "dst",
          "action",
          "recurrence",
          OccurrencePolicyCodec.MISSED,
          OccurrencePolicyCodec.START_WITHIN,
          OccurrencePolicyCodec.JITTER,
          OccurrencePolicyCodec.OVERLAP,
          OccurrencePolicyCodec.BUFFER_MAX,
          OccurrencePolicyCodec.PRIORITY,
          JobCalendarsCodec.NAME,
          "state",
          "status",
          PauseCodec.NAME,
          PauseCodec.WAITS,
          JobDefinitionCodec.PAUSE_AFTER_FAILURES,
          MetadataCodec.DESCRIPTION,
          MetadataCodec.LABELS);

  /** Wrong names that clients often try, with the intended property. */
  private static final Map<String, String> MEANT =
      Map.of(
          "name", "id",
          "every", "recurrence.interval",
          "schedule", "recurrence",
          "delay", JobShorthand.IN,
          "at", "startTime",
          "tz", "timeZone",
          "url", "action.request.uri",
          "retries", "action.retryPolicy",
          "tags", MetadataCodec.LABELS);

  /** Properties that the first occurrence depends on. */
  private static final List<String> OF_SCHEDULE =
      List.of(
          "startTime",
          "timeZone",
          "dst",
          "recurrence",
          OccurrencePolicyCodec.MISSED,
          OccurrencePolicyCodec.JITTER,
          JobCalendarsCodec.NAME);

  private final Dialect dialect;
  private final SubmissionLimits limits;
  private final JobDefinitionCodec definitions;
  private final ScheduleLimits scheduleLimits;
  private final TargetPolicy targets;

  /** Creates a codec that does not check targets; the calls do. */
  public JobCodec(Dialect dialect, SubmissionLimits limits) {
    this(dialect, limits, TargetPolicy.NONE);
  }

  /** Creates a codec that refuses jobs with targets that the policy forbids. */
  public JobCodec(Dialect dialect, SubmissionLimits limits, TargetPolicy targets) {
    this.dialect = dialect;
    this.limits = limits;
    this.definitions = new JobDefinitionCodec(dialect, limits);
    this.scheduleLimits = new ScheduleLimits(limits);
    this.targets = targets;
  }

  /** Reads a whole job. */
  public JobSubmission read(JobKey job, byte[] json, Instant now) {
    checkSize(json);
    try {
      return read(job, json, now, Refusals.FIRST);
    } catch (JobException e) {
      throw all(e, refusals -> read(job, json, now, refusals));
    }
  }

  /** Collects all mistakes in the native dialect. The service reported only the first one. */
  private JobException all(JobException first, Consumer<Refusals> reading) {
    return dialect.has(STRICT) ? Refusals.all(first, reading) : first;
  }

  private JobSubmission read(JobKey job, byte[] json, Instant now, Refusals refusals) {
    Map<String, Object> document = StrictJsonParser.parse(json, MALFORMED);
    checkId(document, job.name(), refusals);
    return read(job, document, now, refusals);
  }

  private JobSubmission read(
      JobKey job, Map<String, Object> document, Instant now, Refusals refusals) {
    if (dialect.has(EXTENSIONS)) {
      livesAgain(document, refusals);
      JobCalendarsCodec.checkSubmitted(JsonFields.root(document, refusals));
    }
    return submission(job, document, new Moment(now, now), List.of(), refusals);
  }

  /** Enables a finished job that a client sends back with its answered state. */
  private static void livesAgain(Map<String, Object> document, Refusals refusals) {
    if (JsonFields.root(document, refusals)
        .word("state", STATES)
        .filter(JobState::isFinal)
        .isPresent()) {
      document.put("state", JobState.ENABLED.word());
    }
  }

  /**
   * Reads a whole new job.
   *
   * @param naming returns the name for the optional {@code id} of a native document
   */
  public NewJob create(byte[] json, Function<Optional<String>, JobName> naming, Instant now) {
    checkSize(json);
    try {
      return create(StrictJsonParser.parse(json, MALFORMED), naming, now, Refusals.FIRST);
    } catch (JobException e) {
      throw all(e, all -> create(StrictJsonParser.parse(json, MALFORMED), naming, now, all));
    }
  }

  private NewJob create(
      Map<String, Object> document,
      Function<Optional<String>, JobName> naming,
      Instant now,
      Refusals refusals) {
    boolean hasExtensions = dialect.has(EXTENSIONS);
    JobName name =
        hasExtensions
            ? named(JsonFields.root(document, refusals), naming)
            : naming.apply(Optional.empty());
    boolean isRelative = hasExtensions && document.get(JobShorthand.IN) != null;
    return new NewJob(name, read(new JobKey(name.key()), document, now, refusals), isRelative);
  }

  private static JobName named(JsonFields fields, Function<Optional<String>, JobName> naming) {
    try {
      return naming.apply(fields.text("id"));
    } catch (JobException e) {
      fields.report(new JobException(e.code(), e.getMessage().replaceFirst("^job: ", "id: ")));
      return naming.apply(Optional.empty());
    }
  }

  /**
   * Reads a call, a job in its shortest form: {@code {"url": ..., "in": ...}}.
   *
   * @param in delay of the call, if the document gives none
   * @param naming as of {@link #create}
   */
  public NewJob call(
      byte[] json, Optional<String> in, Function<Optional<String>, JobName> naming, Instant now) {
    checkSize(json);
    CallShorthand shorthand = new CallShorthand();
    Function<Refusals, NewJob> reading =
        refusals -> {
          Map<String, Object> call = StrictJsonParser.parse(json, "Malformed call");
          JsonFields fields = JsonFields.root(call, refusals);
          return create(shorthand.job(fields, call, in), naming, now, refusals);
        };
    try {
      return reading.apply(Refusals.FIRST);
    } catch (JobException e) {
      throw shorthand.ofCall(
          all(
              e,
              refusals -> {
                NewJob unused = reading.apply(refusals);
              }));
    }
  }

  /** Reads a change (RFC 7386) of a job. Properties that it does not mention stay. */
  public JobSubmission patch(StoredJob current, byte[] json, Instant now) {
    checkSize(json);
    try {
      return patch(current, json, now, Refusals.FIRST);
    } catch (JobException e) {
      throw all(e, all -> patch(current, json, now, all));
    }
  }

  private JobSubmission patch(StoredJob current, byte[] json, Instant now, Refusals refusals) {
    Map<String, Object> change = StrictJsonParser.parse(json, MALFORMED);
    if (dialect.has(NO_STATUS_IN_CHANGES)) {
      checkChange(JsonFields.root(change));
    }
    checkId(change, current.name().job(), refusals);
    Map<String, Object> whole = StoredJson.tree(current.definition());
    Map<String, Object> changed =
        dialect.has(ENVELOPED)
            ? StrictJsonParser.objectIn(change, "properties").orElse(Map.of())
            : change;
    JobDefinitionCodec.clear(whole, changed);
    Map<String, Object> patched = dialect.has(ENVELOPED) ? Map.of("properties", whole) : whole;
    Map<String, Object> merged = StoredJson.merged(patched, change);
    if (dialect.has(EXTENSIONS) && change.get(JobCalendarsCodec.NAME) != null) {
      JobCalendarsCodec.checkSubmitted(JsonFields.root(merged, refusals));
    }
    JobSubmission submission =
        submission(
            new JobKey(current.name().key()),
            merged,
            new Moment(current.created(), now),
            TargetPolicy.places(current.definition()),
            refusals);
    checkSize(JsonOut.of(out -> JobDefinitionCodec.write(out, submission.definition(), dialect)));
    // An empty change runs a job again.
    return submission.ofWordsAlone(
        !changed.isEmpty() && MetadataCodec.PROPERTIES.containsAll(changed.keySet()));
  }

  /** Reads a change of the state of many jobs. No other change is possible. */
  public JobState readState(byte[] json) {
    checkSize(json);
    JsonFields fields = properties(JsonFields.root(StrictJsonParser.parse(json, MALFORMED)));
    fields.allowOnly(Set.of("state"), dialect);
    return state(fields).orElseThrow(() -> fields.missing("state"));
  }

  /** Reads the options of the pause in a request to disable. */
  public PauseOptions readPause(byte[] json, Instant now) {
    return PauseCodec.read(json, dialect, now);
  }

  /**
   * Refuses changes as the service documented for PATCH. The state is checked with everything else.
   */
  private static void checkChange(JsonFields change) {
    if (change.has("status")) {
      throw JobException.invalid("status: is set by the scheduler only; leave it out");
    }
  }

  /** Refuses a name that differs from the path, because it would be ignored silently. */
  private void checkId(Map<String, Object> document, String id, Refusals refusals) {
    if (dialect.has(ENVELOPED)) {
      return; // in this dialect the id is a full path
    }
    JsonFields fields = JsonFields.root(document, refusals);
    if (fields.text("id").filter(given -> !given.equalsIgnoreCase(id)).isPresent()) {
      fields.report(fields.refusal("id", "must be the id in the path, or be left out"));
    }
  }

  /** Times of a job's creation and of its submission. */
  private record Moment(Instant created, Instant now) {}

  /**
   * Reads a submission. The job called the known destinations before, so the target policy does not
   * check them again.
   */
  private JobSubmission submission(
      JobKey job,
      Map<String, Object> document,
      Moment moment,
      List<Destination> known,
      Refusals refusals) {
    if (dialect.has(EXTENSIONS)) {
      JobShorthand.expand(
          JsonFields.root(document, refusals), document, moment.now(), limits.horizon());
    }
    JsonFields fields = properties(JsonFields.root(document, refusals));
    fields.allowOnly(KNOWN, MEANT, dialect);
    if (dialect.has(EXTENSIONS)) {
      PauseCodec.checkSubmitted(fields);
    }
    Optional<JobState> state = state(fields);
    JobDefinition definition = definitions.read(job, fields);
    Instant first = first(fields, definition, moment);
    if (!fields.isRefused("action")) {
      checkTargets(fields, definition, known);
    }
    fields.throwCollected();
    return new JobSubmission(definition, state, first, false);
  }

  private Instant first(JsonFields fields, JobDefinition definition, Moment moment) {
    try {
      return fields.isAnyRefused(OF_SCHEDULE)
          ? moment.now()
          : scheduleLimits.check(definition, moment.created(), moment.now());
    } catch (JobException e) {
      fields.report(e);
      return moment.now();
    }
  }

  private void checkTargets(JsonFields fields, JobDefinition definition, List<Destination> known) {
    try {
      targets.check(definition, known);
    } catch (JobException e) {
      boolean isReadAgain = dialect.has(STRICT) && !fields.collects();
      if (!isReadAgain) {
        targets.refused();
      }
      fields.report(e);
    }
  }

  private JsonFields properties(JsonFields fields) {
    return dialect.has(ENVELOPED) ? fields.requiredObject("properties").asRoot() : fields;
  }

  private static Optional<JobState> state(JsonFields fields) {
    Optional<JobState> state = fields.word("state", STATES);
    if (state.filter(JobState::isFinal).isPresent()) {
      fields.report(
          fields.refusal("state", "is set by the scheduler only; use enabled or disabled"));
    }
    return state;
  }

  private void checkSize(byte[] json) {
    if (json.length > limits.jobBytes()) {
      throw JobException.invalid(
          MALFORMED
              + ": "
              + json.length
              + " bytes are more than the "
              + limits.jobBytes()
              + " allowed");
    }
  }

  /** Writes a job. */
  public byte[] job(StoredJob job) {
    return job(job, Holds.NONE);
  }

  /**
   * Whether answers show the pause that holds a job back. The service's own clients do not expect
   * it.
   */
  public boolean answersWaits() {
    return dialect.has(EXTENSIONS);
  }

  /** Writes a job and the pause that holds it back. */
  public byte[] job(StoredJob job, Holds holds) {
    return JsonOut.of(dialect, json -> write(json, job, dialect, holds));
  }

  /**
   * Writes a job with the pause that holds it back. Its status includes the defaults that apply to
   * the job, but not in the dialects of the service.
   */
  public byte[] job(StoredJob job, Holds holds, JobDefaults defaults) {
    Optional<JobDefaults> shown =
        dialect.has(EXTENSIONS) ? Optional.of(defaults) : Optional.empty();
    return JsonOut.of(dialect, json -> write(json, job, dialect, holds, shown));
  }

  /**
   * Writes a page of jobs. A dialect with bare lists shows no link.
   *
   * @param damaged jobs that are left out; a bare list does not show them either
   */
  public byte[] page(List<StoredJob> jobs, List<DamagedJob> damaged, Optional<String> nextLink) {
    return page(jobs, damaged, nextLink, Holds.NONE);
  }

  /** Writes a page of jobs of one collection and the pause that holds them back. */
  public byte[] page(
      List<StoredJob> jobs, List<DamagedJob> damaged, Optional<String> nextLink, Holds holds) {
    JsonOut.ItemWriter<StoredJob> writer = (json, job) -> write(json, job, dialect, holds);
    return JsonOut.of(
        dialect,
        json -> {
          if (dialect.has(BARE_LISTS)) {
            JsonOut.writeItems(json, jobs, writer);
          } else {
            JsonOut.writePage(
                json, jobs, writer, nextLink, JsonOut.LeftOut.jobs(damaged, JobName::job));
          }
        });
  }

  /** Writes a requested execution and the pause that holds it back. */
  public static byte[] execution(String id, Optional<Hold> waits) {
    return JsonOut.object(
        json -> {
          json.writeStringField("executionId", id);
          PauseCodec.writeWaits(json, waits);
        });
  }

  /**
   * Writes the job as one object.
   *
   * @param holds pauses that may hold it back; only the native dialect shows them
   */
  public static void write(JsonGenerator json, StoredJob job, Dialect dialect, Holds holds)
      throws IOException {
    write(json, job, dialect, holds, Optional.empty());
  }

  private static void write(
      JsonGenerator json,
      StoredJob job,
      Dialect dialect,
      Holds holds,
      Optional<JobDefaults> defaults)
      throws IOException {
    json.writeStartObject();
    if (dialect.has(ENVELOPED)) {
      json.writeStringField("id", ResourceId.of(job.name()));
      json.writeStringField("type", ResourceId.JOB_TYPE);
      json.writeStringField("name", job.name().collection().collection() + "/" + job.name().job());
      json.writeObjectFieldStart("properties");
      writeProperties(json, job, dialect, defaults);
      json.writeEndObject();
    } else {
      json.writeStringField("id", job.name().job());
      writeProperties(json, job, dialect, defaults);
    }
    if (dialect.has(EXTENSIONS)) {
      PauseCodec.writeWaits(json, holds.of(job));
    }
    json.writeEndObject();
  }

  private static void writeProperties(
      JsonGenerator json, StoredJob job, Dialect dialect, Optional<JobDefaults> defaults)
      throws IOException {
    JobDefinitionCodec.writeFields(json, job.definition(), dialect);
    json.writeStringField("state", job.state().word());
    if (job.pause().isPresent()) {
      json.writeFieldName(PauseCodec.NAME);
      PauseCodec.write(json, job.pause().get());
    }
    if (dialect.has(EXTENSIONS) || job.state() != JobState.DISABLED || hasRun(job)) {
      writeStatus(json, job, dialect, defaults);
    }
  }

  /**
   * Whether the job ever ran. The service answered no status for a job that was disabled before its
   * first run.
   */
  private static boolean hasRun(StoredJob job) {
    return job.last().isPresent() || job.counters().executions() > 0;
  }

  /** Writes the status. The service did not show the time of creation. */
  private static void writeStatus(
      JsonGenerator json, StoredJob job, Dialect dialect, Optional<JobDefaults> defaults)
      throws IOException {
    json.writeObjectFieldStart("status");
    if (dialect.has(EXTENSIONS)) {
      JsonOut.writeInstant(json, "createdTime", Optional.of(job.created()));
    }
    JsonOut.writeInstant(json, "lastExecutionTime", job.last());
    JsonOut.writeInstant(json, "nextExecutionTime", job.next());
    json.writeNumberField("executionCount", job.counters().executions());
    json.writeNumberField("failureCount", job.counters().failures());
    json.writeNumberField("faultedCount", job.counters().faulted());
    if (defaults.isPresent()) {
      defaults.get().write(json, job.definition());
    }
    json.writeEndObject();
  }

  /**
   * A job to create.
   *
   * @param isRelative whether its start was given as a time from now
   */
  public record NewJob(JobName name, JobSubmission submission, boolean isRelative) {
    /** Longest time between the request for a job and its creation. */
    private static final Duration UNTIL_WRITTEN = Duration.ofSeconds(10);

    private static final Duration CLOCK_STEP = Duration.ofSeconds(1);

    /** Returns this job as submitted within a trace. */
    public NewJob withTrace(Optional<TraceContext> trace) {
      return new NewJob(name, submission.withTrace(trace), isRelative);
    }

    /**
     * Whether the stored job is the result of an equal request. Secrets are not compared.
     *
     * @param now time of this request
     */
    public boolean isLike(StoredJob stored, Instant now) {
      JobDefinition own = submission.definition();
      JobDefinition known = stored.definition();
      if (!isRelative) {
        return text(own).equals(text(known));
      }
      return text(own.withStartTime(known.startTime())).equals(text(known))
          && isAskedAlike(own.startTime(), now, known.startTime(), stored.created());
    }

    /**
     * Compares delays. The stored delay is shorter by the time between the request and the writing
     * of the job.
     */
    private static boolean isAskedAlike(
        Optional<Instant> start, Instant now, Optional<Instant> storedStart, Instant created) {
      if (start.isEmpty() || storedStart.isEmpty()) {
        return start.equals(storedStart);
      }
      Duration delay = Duration.between(now, start.get());
      Duration shorter = delay.minus(Duration.between(created, storedStart.get()));
      return shorter.compareTo(CLOCK_STEP.negated()) >= 0 && shorter.compareTo(UNTIL_WRITTEN) <= 0;
    }

    private static String text(JobDefinition definition) {
      return JsonOut.text(json -> JobDefinitionCodec.write(json, definition, Dialect.NATIVE));
    }
  }

  /**
   * Submission of a client that obeys every rule.
   *
   * @param definition the job
   * @param state as the client gave it, if at all
   * @param first the first occurrence from the moment of submission on
   * @param isOfWordsAlone whether it is a change of only the description or the labels
   */
  public record JobSubmission(
      JobDefinition definition, Optional<JobState> state, Instant first, boolean isOfWordsAlone) {
    /** Returns this submission as made within a trace. */
    public JobSubmission withTrace(Optional<TraceContext> trace) {
      return trace.equals(definition.trace())
          ? this
          : new JobSubmission(definition.withTrace(trace), state, first, isOfWordsAlone);
    }

    private JobSubmission ofWordsAlone(boolean isSo) {
      return new JobSubmission(definition, state, first, isSo);
    }
  }
}
