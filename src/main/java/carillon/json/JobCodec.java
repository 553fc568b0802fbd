package carillon.json;

import carillon.job.Destination;
import carillon.job.JobDefinition;
import carillon.job.JobException;
import carillon.job.JobKey;
import carillon.job.JobName;
import carillon.job.JobState;
import carillon.job.Pause.PauseOptions;
import carillon.job.StoredJob;
import carillon.job.StoredJob.DamagedJob;
import carillon.job.TraceContext;
import carillon.json.Dialect.ResourceId;
import carillon.json.JobDefinitionCodec.MetadataCodec;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Codec of jobs: reads them as clients of one dialect submit them, and writes them as it answers
 * them, compact and in the service's order of properties. Refuses with INVALID whatever breaks a
 * rule.
 */
public final class JobCodec {
  private static final String MALFORMED = "Malformed Job Object";
  private static final EnumNames<JobState> STATES = EnumNames.of(JobState.class);

  /** {@code status} and {@code pause} are answered, and may come back. */
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
          JobDefinitionCodec.PAUSE_AFTER_FAILURES,
          MetadataCodec.DESCRIPTION,
          MetadataCodec.LABELS);

  /** What others call it. */
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

  /** On which the first occurrence depends. */
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

  /** A codec that leaves it to the calls what they may reach. */
  public JobCodec(Dialect dialect, SubmissionLimits limits) {
    this(dialect, limits, TargetPolicy.NONE);
  }

  /** A codec that refuses jobs which call what the policy forbids. */
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

  /** The native dialect tells all that is wrong at once; the service told the first. */
  private JobException all(JobException first, Consumer<Refusals> reading) {
    return dialect == Dialect.NATIVE ? Refusals.all(first, reading) : first;
  }

  private JobSubmission read(JobKey job, byte[] json, Instant now, Refusals refusals) {
    Map<String, Object> document = StrictJsonParser.parse(json, MALFORMED);
    checkId(document, job.name(), refusals);
    return read(job, document, now, refusals);
  }

  private JobSubmission read(
      JobKey job, Map<String, Object> document, Instant now, Refusals refusals) {
    if (dialect == Dialect.NATIVE) {
      livesAgain(document, refusals);
      JobCalendarsCodec.checkSubmitted(JsonFields.root(document, refusals));
    }
    return submission(job, document, new Moment(now, now), List.of(), refusals);
  }

  /** What is answered of a finished job is that of an enabled one when it comes back. */
  private static void livesAgain(Map<String, Object> document, Refusals refusals) {
    if (JsonFields.root(document, refusals)
        .word("state", STATES)
        .filter(JobState::isFinal)
        .isPresent()) {
      document.put("state", JobState.ENABLED.word());
    }
  }

  /**
   * Reads a whole job that is not there yet.
   *
   * @param naming names it, by the {@code id} that a native document may say
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
    boolean isNative = dialect == Dialect.NATIVE;
    JobName name =
        isNative
            ? named(JsonFields.root(document, refusals), naming)
            : naming.apply(Optional.empty());
    boolean isRelative = isNative && document.get(JobShorthand.IN) != null;
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
   * @param in when it is made, where the document does not say so
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

  /** Reads a change (RFC 7386) of a job: what it does not mention stays. */
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
    if (dialect == Dialect.CLASSIC) {
      checkChange(JsonFields.root(change));
    }
    checkId(change, current.name().job(), refusals);
    Map<String, Object> whole = StoredJson.tree(current.definition());
    Map<String, Object> changed =
        dialect.isEnveloped() ? StoredJson.object(change, "properties").orElse(Map.of()) : change;
    JobDefinitionCodec.clear(whole, changed);
    Map<String, Object> patched = dialect.isEnveloped() ? Map.of("properties", whole) : whole;
    Map<String, Object> merged = StoredJson.merged(patched, change);
    if (dialect == Dialect.NATIVE && change.get(JobCalendarsCodec.NAME) != null) {
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
    // An empty change is what lets a job run anew.
    return submission.ofWordsAlone(
        !changed.isEmpty() && MetadataCodec.PROPERTIES.containsAll(changed.keySet()));
  }

  /** Reads a change of the state of many jobs, which can say nothing else. */
  public JobState readState(byte[] json) {
    checkSize(json);
    JsonFields fields = properties(JsonFields.root(StrictJsonParser.parse(json, MALFORMED)));
    fields.allowOnly(Set.of("state"), dialect);
    return state(fields).orElseThrow(() -> fields.missing("state"));
  }

  /** Reads what a request to disable says of the pause. */
  public PauseOptions readPause(byte[] json, Instant now) {
    return PauseCodec.read(json, dialect, now);
  }

  /** What the service documented for PATCH; the state is looked at with everything else. */
  private static void checkChange(JsonFields change) {
    if (change.has("status")) {
      throw JobException.invalid("status: is set by the scheduler only; leave it out");
    }
  }

  /** Refuses another name than that in the path, which would be dropped in silence. */
  private void checkId(Map<String, Object> document, String id, Refusals refusals) {
    if (dialect == Dialect.ARM) {
      return; // it has a whole path there
    }
    JsonFields fields = JsonFields.root(document, refusals);
    if (fields.text("id").filter(given -> !given.equalsIgnoreCase(id)).isPresent()) {
      fields.report(fields.refusal("id", "must be the id in the path, or be left out"));
    }
  }

  /** When a job was created, and when it is submitted. */
  private record Moment(Instant created, Instant now) {}

  /** Reads what is submitted, of which the target policy knows some places already. */
  private JobSubmission submission(
      JobKey job,
      Map<String, Object> document,
      Moment moment,
      List<Destination> known,
      Refusals refusals) {
    if (dialect == Dialect.NATIVE) {
      JobShorthand.expand(
          JsonFields.root(document, refusals), document, moment.now(), limits.horizon());
    }
    JsonFields fields = properties(JsonFields.root(document, refusals));
    fields.allowOnly(KNOWN, MEANT, dialect);
    if (dialect == Dialect.NATIVE) {
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
      boolean isReadAgain = dialect == Dialect.NATIVE && !fields.collects();
      if (!isReadAgain) {
        targets.refused();
      }
      fields.report(e);
    }
  }

  private JsonFields properties(JsonFields fields) {
    return dialect.isEnveloped() ? fields.requiredObject("properties").asRoot() : fields;
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

  /** One job. */
  public byte[] job(StoredJob job) {
    return JsonOut.of(dialect, json -> write(json, job, dialect));
  }

  /**
   * A page of jobs; a dialect with bare lists shows no link.
   *
   * @param damaged jobs that are left out, which a bare list does not show either
   */
  public byte[] page(List<StoredJob> jobs, List<DamagedJob> damaged, Optional<String> nextLink) {
    return JsonOut.of(
        dialect,
        json -> {
          if (dialect.hasBareLists()) {
            JsonOut.writeItems(json, jobs, this::write);
          } else {
            JsonOut.writePage(
                json, jobs, this::write, nextLink, JsonOut.LeftOut.jobs(damaged, JobName::job));
          }
        });
  }

  private void write(JsonGenerator json, StoredJob job) throws IOException {
    write(json, job, dialect);
  }

  /** Writes the job as one object. */
  public static void write(JsonGenerator json, StoredJob job, Dialect dialect) throws IOException {
    json.writeStartObject();
    if (dialect.isEnveloped()) {
      json.writeStringField("id", ResourceId.of(job.name()));
      json.writeStringField("type", ResourceId.JOB_TYPE);
      json.writeStringField("name", job.name().collection().collection() + "/" + job.name().job());
      json.writeObjectFieldStart("properties");
      writeProperties(json, job, dialect);
      json.writeEndObject();
    } else {
      json.writeStringField("id", job.name().job());
      writeProperties(json, job, dialect);
    }
    json.writeEndObject();
  }

  private static void writeProperties(JsonGenerator json, StoredJob job, Dialect dialect)
      throws IOException {
    JobDefinitionCodec.writeFields(json, job.definition(), dialect);
    json.writeStringField("state", job.state().word());
    if (job.pause().isPresent()) {
      json.writeFieldName(PauseCodec.NAME);
      PauseCodec.write(json, job.pause().get());
    }
    if (dialect == Dialect.NATIVE || job.state() != JobState.DISABLED || hasRun(job)) {
      writeStatus(json, job, dialect);
    }
  }

  /** The service answered no status of a job that was disabled before it ran. */
  private static boolean hasRun(StoredJob job) {
    return job.last().isPresent() || job.counters().executions() > 0;
  }

  /** The service told no creation. */
  private static void writeStatus(JsonGenerator json, StoredJob job, Dialect dialect)
      throws IOException {
    json.writeObjectFieldStart("status");
    if (dialect == Dialect.NATIVE) {
      JsonOut.writeInstant(json, "createdTime", Optional.of(job.created()));
    }
    JsonOut.writeInstant(json, "lastExecutionTime", job.last());
    JsonOut.writeInstant(json, "nextExecutionTime", job.next());
    json.writeNumberField("executionCount", job.counters().executions());
    json.writeNumberField("failureCount", job.counters().failures());
    json.writeNumberField("faultedCount", job.counters().faulted());
    json.writeEndObject();
  }

  /**
   * A job that is to be created.
   *
   * @param isRelative whether its start was given as a time from now
   */
  public record NewJob(JobName name, JobSubmission submission, boolean isRelative) {
    /** This job as submitted within a trace. */
    public NewJob withTrace(Optional<TraceContext> trace) {
      return new NewJob(name, submission.withTrace(trace), isRelative);
    }

    /** Whether the same was asked for before; secrets are not compared. */
    public boolean isLike(JobDefinition stored) {
      JobDefinition own = submission.definition();
      JobDefinition asked = isRelative ? own.withStartTime(stored.startTime()) : own;
      return text(asked).equals(text(stored));
    }

    private static String text(JobDefinition definition) {
      return JsonOut.text(json -> JobDefinitionCodec.write(json, definition, Dialect.NATIVE));
    }
  }

  /**
   * What a client submitted, found to obey every rule.
   *
   * @param definition the job
   * @param state as the client asked, if it did
   * @param first the first occurrence from the moment of submission on
   * @param isOfWordsAlone whether it is a change that names the description or the labels alone
   */
  public record JobSubmission(
      JobDefinition definition, Optional<JobState> state, Instant first, boolean isOfWordsAlone) {
    /** This submission as made within a trace. */
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
