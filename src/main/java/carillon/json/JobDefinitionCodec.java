package carillon.json;

import carillon.job.JobDefinition;
import carillon.job.JobDefinition.Metadata;
import carillon.job.OccurrencePolicy;
import carillon.job.action.Action;
import carillon.job.action.RetryPolicy;
import carillon.job.action.TraceContext;
import carillon.job.name.JobException;
import carillon.job.name.JobKey;
import carillon.job.name.Quoted;
import carillon.json.action.ActionCodec;
import carillon.json.action.RetryPolicyCodec;
import carillon.json.schedule.OccurrencePolicyCodec;
import carillon.json.schedule.RecurrenceCodec;
import carillon.json.schedule.ScheduleCodec;
import carillon.json.schedule.ScheduleCodec.JobSchedule;
import carillon.json.text.Dialect;
import carillon.json.text.JsonFields;
import carillon.json.text.SubmissionLimits;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Codec of the definition of a job: its start, its actions and its recurrence. */
final class JobDefinitionCodec {
  static final String PAUSE_AFTER_FAILURES = "pauseAfterFailures";
  private static final int MOST_FAILURES = 1000;

  private static final List<String> RECURRENCE = List.of("recurrence");

  /** Places of authentications in a job. */
  private static final List<List<String>> AUTHENTICATIONS =
      List.of(
          List.of("action", "request", "authentication"),
          List.of("action", "errorAction", "request", "authentication"));

  /** Places of retry policies in a job. */
  private static final List<List<String>> RETRY_POLICIES =
      List.of(List.of("action", "retryPolicy"), List.of("action", "errorAction", "retryPolicy"));

  /** Placeholder for a refused action, so that the rest can be checked. */
  private static final Action NO_ACTION = new Action(ActionCodec.NO_CALL, RetryPolicy.NONE);

  private final Dialect dialect;
  private final ActionCodec actions;
  private final ScheduleCodec schedules;
  private final OccurrencePolicyCodec occurrences;

  JobDefinitionCodec(Dialect dialect, SubmissionLimits limits) {
    this.dialect = dialect;
    this.actions = new ActionCodec(dialect, limits);
    this.schedules = new ScheduleCodec(dialect);
    this.occurrences = new OccurrencePolicyCodec(dialect);
  }

  /** Reads the definition from the properties of a job. */
  JobDefinition read(JobKey job, JsonFields fields) {
    JsonFields action = fields.requiredObject("action");
    JobSchedule schedule = schedules.read(fields, job);
    Action main = main(action);
    Optional<Action> errorAction = actions.readErrorAction(action);
    OccurrencePolicy policy = occurrences.read(fields, job);
    OptionalInt pauseAfterFailures = pauseAfterFailures(fields);
    Metadata metadata = MetadataCodec.read(fields, dialect);
    return new JobDefinition(
        schedule.startTime(),
        main,
        errorAction,
        schedule.recurrence(),
        dialect.isStored() ? trace(fields) : Optional.empty(),
        schedule.timeZone(),
        policy,
        pauseAfterFailures,
        metadata);
  }

  private Action main(JsonFields action) {
    try {
      return actions.read(action);
    } catch (JobException e) {
      action.report(e);
      return NO_ACTION;
    }
  }

  private static OptionalInt pauseAfterFailures(JsonFields fields) {
    OptionalInt limit = fields.integer(PAUSE_AFTER_FAILURES, 1, MOST_FAILURES);
    if (limit.isPresent() && !fields.has("recurrence")) {
      fields.report(fields.refusal(PAUSE_AFTER_FAILURES, "needs a recurrence"));
    }
    return limit;
  }

  /**
   * Reads the trace, which comes with the request and not in the document, and is stored beside it.
   */
  private static Optional<TraceContext> trace(JsonFields fields) {
    return fields
        .text(TraceContext.PARENT)
        .map(parent -> new TraceContext(parent, fields.text(TraceContext.STATE).orElse("")));
  }

  /**
   * Removes the parts of a job that a change replaces as a whole, because a merge patch would mix
   * both.
   */
  static void clear(Map<String, Object> job, Map<String, Object> change) {
    clearAuthentications(job, change);
    if (change.get(JobShorthand.IN) != null && change.get("startTime") == null) {
      job.remove("startTime");
    }
    RecurrenceCodec.clear(at(job, RECURRENCE), at(change, RECURRENCE));
    OccurrencePolicyCodec.clear(job, change);
    RETRY_POLICIES.forEach(place -> RetryPolicyCodec.clear(at(job, place), at(change, place)));
  }

  /**
   * Empties each authentication of the job to which the change gives another type. A merge patch
   * (RFC 7386) would keep the old user name in the new type. Here such a change replaces the
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

  /** Returns the object at the place, or an empty one if there is none. */
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

  /** Writes the definition as one object. Omits absent properties. */
  static void write(JsonGenerator json, JobDefinition definition, Dialect dialect)
      throws IOException {
    json.writeStartObject();
    writeFields(json, definition, dialect);
    json.writeEndObject();
  }

  /** Writes the definition's properties into the current object. */
  static void writeFields(JsonGenerator json, JobDefinition definition, Dialect dialect)
      throws IOException {
    MetadataCodec.write(json, definition.metadata());
    ScheduleCodec.writeStart(json, definition, dialect);
    json.writeObjectFieldStart("action");
    ActionCodec.write(json, definition.action(), dialect);
    if (definition.errorAction().isPresent()) {
      json.writeObjectFieldStart("errorAction");
      ActionCodec.write(json, definition.errorAction().get(), dialect);
      json.writeEndObject();
    }
    json.writeEndObject();
    ScheduleCodec.writeRecurrence(json, definition);
    OccurrencePolicyCodec.write(json, definition.occurrences(), dialect);
    if (definition.pauseAfterFailures().isPresent()) {
      json.writeNumberField(PAUSE_AFTER_FAILURES, definition.pauseAfterFailures().getAsInt());
    }
    if (dialect.isStored() && definition.trace().isPresent()) {
      writeTrace(json, definition.trace().get());
    }
  }

  private static void writeTrace(JsonGenerator json, TraceContext trace) throws IOException {
    json.writeStringField(TraceContext.PARENT, trace.parent());
    if (!trace.state().isEmpty()) {
      json.writeStringField(TraceContext.STATE, trace.state());
    }
  }

  /** Codec of the metadata of a job: {@code description} and {@code labels}. */
  static final class MetadataCodec {
    static final String DESCRIPTION = "description";
    static final String LABELS = "labels";
    static final Set<String> PROPERTIES = Set.of(DESCRIPTION, LABELS);

    private static final int MAX_DESCRIPTION = 500;
    private static final int MAX_LABELS = 16;

    private MetadataCodec() {}

    static Metadata read(JsonFields job, Dialect dialect) {
      if (!job.has(DESCRIPTION) && !job.has(LABELS)) {
        return Metadata.NONE;
      }
      Optional<String> description = job.text(DESCRIPTION);
      Map<String, String> labels = job.object(LABELS, JsonFields::texts).orElse(Map.of());
      if (dialect.isChecked()) {
        description.ifPresent(text -> checkDescription(job, text));
        checkLabels(job, labels);
      }
      return new Metadata(description, labels);
    }

    private static void checkDescription(JsonFields job, String text) {
      if (text.isBlank()) {
        job.report(JobException.invalid(DESCRIPTION + ": must not be empty; leave it out instead"));
      }
      job.checkControls(DESCRIPTION, text);
      job.checkLength(DESCRIPTION, text, MAX_DESCRIPTION);
    }

    private static void checkLabels(JsonFields job, Map<String, String> labels) {
      if (labels.size() > MAX_LABELS) {
        job.report(
            JobException.invalid(
                LABELS + ": " + labels.size() + " are more than the " + MAX_LABELS + " allowed"));
      }
      labels.forEach(
          (name, value) -> {
            String place = LABELS + "." + Quoted.of(name);
            if (!Metadata.isName(name)) {
              job.report(JobException.invalid(place + ": a label's name " + Metadata.NAME_RULE));
            }
            if (!Metadata.isValue(value)) {
              job.report(JsonFields.refuse(place, value, Metadata.VALUE_RULE));
            }
          });
    }

    /**
     * Writes labels first, because the script {@code find_jobs} searches for them at the start of
     * the stored form.
     */
    static void write(JsonGenerator json, Metadata metadata) throws IOException {
      if (!metadata.labels().isEmpty()) {
        json.writeObjectFieldStart(LABELS);
        for (Map.Entry<String, String> label : metadata.labels().entrySet()) {
          json.writeStringField(label.getKey(), label.getValue());
        }
        json.writeEndObject();
      }
      if (metadata.description().isPresent()) {
        json.writeStringField(DESCRIPTION, metadata.description().get());
      }
    }
  }
}
