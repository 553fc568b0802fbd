package carillon.json;

import carillon.job.JobDefinition;
import carillon.job.JobException;
import carillon.job.JobKey;
import carillon.job.JobState;
import carillon.job.StoredJob;
import carillon.job.StoredJob.DamagedJob;
import carillon.job.TraceContext;
import carillon.recurrence.JobTimeZone;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Codec of jobs: reads them as clients of one dialect submit them, and writes them as it answers
 * them, compact and in the service's order of properties. Refuses with INVALID whatever breaks a
 * rule.
 */
public final class JobCodec {
  private static final String MALFORMED = "Malformed Job Object";
  private static final EnumNames<JobState> STATES = EnumNames.of(JobState.class);

  /** The first two and the last one are answered, and ignored when they come back. */
  private static final Set<String> KNOWN =
      Set.of(
          "id", "name", "startTime", "timeZone", "dst", "action", "recurrence", "state", "status");

  private static final List<String> ENVELOPE = List.of("properties");
  private static final List<String> RECURRENCE = List.of("recurrence");

  /** Where a job has an authentication. */
  private static final List<List<String>> AUTHENTICATIONS =
      List.of(
          List.of("action", "request", "authentication"),
          List.of("action", "errorAction", "request", "authentication"));

  private final Dialect dialect;
  private final SubmissionLimits limits;
  private final ActionCodec actions;
  private final RecurrenceCodec recurrences;
  private final TimeZoneCodec timeZones;
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
    this.actions = new ActionCodec(dialect, limits);
    this.recurrences = new RecurrenceCodec(dialect);
    this.timeZones = new TimeZoneCodec(dialect);
    this.scheduleLimits = new ScheduleLimits(limits);
    this.targets = targets;
  }

  /** Reads a whole job. */
  public JobSubmission read(JobKey job, byte[] json, Instant now) {
    checkSize(json);
    JobSubmission submission = submission(job, StrictJsonParser.parse(json, MALFORMED), now, now);
    targets.check(submission.definition(), List.of());
    return submission;
  }

  /** Reads a change (RFC 7386) of a job: what it does not mention stays. */
  public JobSubmission patch(StoredJob current, byte[] json, Instant now) {
    checkSize(json);
    Map<String, Object> change = StrictJsonParser.parse(json, MALFORMED);
    if (dialect == Dialect.CLASSIC) {
      checkChange(JsonFields.root(change), current.name().job());
    }
    Map<String, Object> whole = StoredJson.tree(current.definition());
    Map<String, Object> changed = dialect.isEnveloped() ? at(change, ENVELOPE) : change;
    clearAuthentications(whole, changed);
    RecurrenceCodec.clear(at(whole, RECURRENCE), at(changed, RECURRENCE));
    Map<String, Object> patched = dialect.isEnveloped() ? Map.of("properties", whole) : whole;
    JobSubmission submission =
        submission(
            new JobKey(current.name().key()),
            StoredJson.merged(patched, change),
            current.created(),
            now);
    targets.check(submission.definition(), TargetPolicy.places(current.definition()));
    checkSize(JsonOut.of(out -> write(out, submission.definition(), dialect)));
    return submission;
  }

  /** Reads a change of the state of many jobs, which can say nothing else. */
  public JobState readState(byte[] json) {
    checkSize(json);
    JsonFields fields = properties(StrictJsonParser.parse(json, MALFORMED));
    fields.allowOnly(Set.of("state"), dialect);
    return state(fields).orElseThrow(() -> fields.missing("state"));
  }

  /** What the service documented for PATCH; the state is looked at with everything else. */
  private static void checkChange(JsonFields change, String id) {
    if (change.has("status")) {
      throw JobException.invalid("status: is set by the scheduler only; leave it out");
    }
    if (change.text("id").filter(given -> !given.equalsIgnoreCase(id)).isPresent()) {
      throw change.refusal("id", "must be the id in the path, or be left out");
    }
  }

  /**
   * Empties each authentication of the job that the change gives another type. A merge patch (RFC
   * 7386) would leave the user name of the one in the other; here such a change replaces the
   * object.
   */
  private static void clearAuthentications(Map<String, Object> job, Map<String, Object> change) {
    for (List<String> place : AUTHENTICATIONS) {
      Map<String, Object> old = at(job, place);
      if (at(change, place).get("type") instanceof String type
          && old.get("type") instanceof String before
          && !type.equalsIgnoreCase(before)) {
        old.clear();
      }
    }
  }

  /** The object at the place; an empty one where there is none. */
  @SuppressWarnings("unchecked") // StrictJsonParser makes no other maps
  private static Map<String, Object> at(Map<String, Object> document, List<String> place) {
    Map<String, Object> object = document;
    for (String name : place) {
      if (!(object.get(name) instanceof Map<?, ?> inner)) {
        return Map.of();
      }
      object = (Map<String, Object>) inner;
    }
    return object;
  }

  private JobSubmission submission(
      JobKey job, Map<String, Object> document, Instant created, Instant now) {
    JsonFields fields = properties(document);
    fields.allowOnly(KNOWN, dialect);
    Optional<JobState> state = state(fields);
    JobDefinition definition = definition(job, fields);
    return new JobSubmission(definition, state, scheduleLimits.check(definition, created, now));
  }

  /** Reads the definition alone: when the job starts, what it does, how often. */
  JobDefinition definition(JobKey job, JsonFields fields) {
    JsonFields action = fields.requiredObject("action");
    Optional<JsonFields> recurrence = fields.object("recurrence");
    Optional<JobTimeZone> timeZone = timeZones.read(fields, recurrence);
    return new JobDefinition(
        fields.start(timeZone),
        actions.read(action),
        actions.readErrorAction(action),
        recurrence.map(given -> recurrences.read(given, timeZone, job)),
        dialect == Dialect.STORED ? trace(fields) : Optional.empty(),
        timeZone);
  }

  /** Comes with the request, not in the document, and is kept beside it. */
  private static Optional<TraceContext> trace(JsonFields fields) {
    return fields
        .text(TraceContext.PARENT)
        .map(parent -> new TraceContext(parent, fields.text(TraceContext.STATE).orElse("")));
  }

  private JsonFields properties(Map<String, Object> document) {
    JsonFields fields = JsonFields.root(document);
    return dialect.isEnveloped() ? fields.requiredObject("properties").asRoot() : fields;
  }

  private static Optional<JobState> state(JsonFields fields) {
    Optional<JobState> state = fields.word("state", STATES);
    if (state.filter(JobState::isFinal).isPresent()) {
      throw fields.refusal("state", "is set by the scheduler only; use enabled or disabled");
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
            JsonOut.writePage(json, jobs, this::write, nextLink, damaged);
          }
        });
  }

  private void write(JsonGenerator json, StoredJob job) throws IOException {
    write(json, job, dialect);
  }

  /** Writes the job as one object. */
  static void write(JsonGenerator json, StoredJob job, Dialect dialect) throws IOException {
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
    writeFields(json, job.definition(), dialect);
    json.writeStringField("state", job.state().word());
    if (job.state() != JobState.DISABLED || hasRun(job)) {
      writeStatus(json, job);
    }
  }

  /** Writes the definition as one object; leaves out what is absent. */
  static void write(JsonGenerator json, JobDefinition definition, Dialect dialect)
      throws IOException {
    json.writeStartObject();
    writeFields(json, definition, dialect);
    json.writeEndObject();
  }

  /** Writes the definition's properties into the object at hand. */
  private static void writeFields(JsonGenerator json, JobDefinition definition, Dialect dialect)
      throws IOException {
    Optional<JobTimeZone> timeZone = definition.timeZone();
    if (timeZone.flatMap(zone -> zone.clock().start()).isPresent()) {
      LocalDateTime start = timeZone.get().clock().start().orElseThrow();
      json.writeStringField("startTime", Timestamps.format(start));
    } else {
      JsonOut.writeInstant(json, "startTime", definition.startTime());
    }
    if (timeZone.isPresent()) {
      TimeZoneCodec.write(json, timeZone.get());
    }
    json.writeObjectFieldStart("action");
    ActionCodec.write(json, definition.action(), dialect);
    if (definition.errorAction().isPresent()) {
      json.writeObjectFieldStart("errorAction");
      ActionCodec.write(json, definition.errorAction().get(), dialect);
      json.writeEndObject();
    }
    json.writeEndObject();
    if (definition.recurrence().isPresent()) {
      json.writeFieldName("recurrence");
      RecurrenceCodec.write(json, definition.recurrence().get(), timeZone);
    }
    if (dialect == Dialect.STORED && definition.trace().isPresent()) {
      writeTrace(json, definition.trace().get());
    }
  }

  private static void writeTrace(JsonGenerator json, TraceContext trace) throws IOException {
    json.writeStringField(TraceContext.PARENT, trace.parent());
    if (!trace.state().isEmpty()) {
      json.writeStringField(TraceContext.STATE, trace.state());
    }
  }

  private static boolean hasRun(StoredJob job) {
    return job.last().isPresent() || job.counters().executions() > 0;
  }

  private static void writeStatus(JsonGenerator json, StoredJob job) throws IOException {
    json.writeObjectFieldStart("status");
    JsonOut.writeInstant(json, "lastExecutionTime", job.last());
    JsonOut.writeInstant(json, "nextExecutionTime", job.next());
    json.writeNumberField("executionCount", job.counters().executions());
    json.writeNumberField("failureCount", job.counters().failures());
    json.writeNumberField("faultedCount", job.counters().faulted());
    json.writeEndObject();
  }

  /**
   * What a client submitted, found to obey every rule.
   *
   * @param definition the job
   * @param state as the client asked, if it did
   * @param first the first occurrence from the moment of submission on
   */
  public record JobSubmission(JobDefinition definition, Optional<JobState> state, Instant first) {
    /** The same, submitted within a trace. */
    public JobSubmission withTrace(Optional<TraceContext> trace) {
      return trace.equals(definition.trace())
          ? this
          : new JobSubmission(definition.withTrace(trace), state, first);
    }
  }
}
