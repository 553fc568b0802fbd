package carillon.json;

import carillon.job.JobDefinition;
import carillon.job.JobException;
import carillon.job.JobState;
import carillon.job.StoredJob;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads jobs as clients of one dialect submit them. Refuses with INVALID whatever breaks a rule.
 */
public final class JobReader {
  private static final String MALFORMED = "Malformed Job Object";
  private static final EnumNames<JobState> STATES =
      EnumNames.of(Stream.of(JobState.values()), JobState::word);

  /** The first two and the last one are answered, and ignored when they come back. */
  private static final Set<String> KNOWN =
      Set.of("id", "name", "startTime", "action", "recurrence", "state", "status");

  private final Dialect dialect;
  private final SubmissionLimits limits;
  private final DefinitionReader definitions;
  private final ScheduleLimits timeRules;
  private final TargetPolicy targets;

  /** A reader that leaves it to the calls what they may reach. */
  public JobReader(Dialect dialect, SubmissionLimits limits) {
    this(dialect, limits, TargetPolicy.NONE);
  }

  public JobReader(Dialect dialect, SubmissionLimits limits, TargetPolicy targets) {
    this.dialect = dialect;
    this.limits = limits;
    this.definitions = new DefinitionReader(dialect, limits);
    this.timeRules = new ScheduleLimits(limits);
    this.targets = targets;
  }

  /** Reads a whole job. */
  public JobSubmission read(byte[] json, Instant now) {
    checkSize(json);
    JobSubmission submission = submission(StrictJsonParser.parse(json, MALFORMED), now, now);
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
    AuthenticationTypeChange.prepare(whole, dialect.isEnveloped() ? inEnvelope(change) : change);
    Map<String, Object> patched = dialect.isEnveloped() ? Map.of("properties", whole) : whole;
    JobSubmission submission =
        submission(MergePatch.apply(patched, change), current.created(), now);
    targets.check(submission.definition(), TargetPolicy.places(current.definition()));
    checkSize(JsonOut.of(out -> DefinitionWriter.write(out, submission.definition(), dialect)));
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

  private JobSubmission submission(Map<String, Object> document, Instant created, Instant now) {
    JsonFields fields = properties(document);
    fields.allowOnly(KNOWN, dialect);
    Optional<JobState> state = state(fields);
    JobDefinition definition = definitions.read(fields);
    return new JobSubmission(definition, state, timeRules.check(definition, created, now));
  }

  @SuppressWarnings("unchecked") // StrictJsonParser makes no other maps
  private static Map<String, Object> inEnvelope(Map<String, Object> change) {
    return change.get("properties") instanceof Map<?, ?> inner
        ? (Map<String, Object>) inner
        : Map.of();
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
}
