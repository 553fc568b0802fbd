package carillon.codec;

import carillon.job.JobDefinition;
import carillon.job.JobException;
import carillon.job.JobState;
import carillon.job.StoredJob;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads jobs as clients of one dialect submit them. Refuses with INVALID whatever breaks a rule.
 */
public final class JobReader {
  private static final String MALFORMED = "Malformed Job Object";
  private static final Words<JobState> STATES =
      Words.of(Stream.of(JobState.values()), JobState::word);

  /** The first two and the last one are answered, and ignored when they come back. */
  private static final Set<String> KNOWN =
      Set.of("id", "name", "startTime", "action", "recurrence", "state", "status");

  private final Dialect dialect;
  private final Limits limits;
  private final DefinitionReader definitions;
  private final TimeRules timeRules;

  public JobReader(Dialect dialect, Limits limits) {
    this.dialect = dialect;
    this.limits = limits;
    this.definitions = new DefinitionReader(dialect, limits);
    this.timeRules = new TimeRules(limits);
  }

  /** Reads a whole job. */
  public Submission read(byte[] json, Instant now) {
    checkSize(json);
    return submission(JsonTree.parse(json, MALFORMED), now, now);
  }

  /** Reads a change (RFC 7386) of a job: what it does not mention stays. */
  public Submission patch(StoredJob current, byte[] json, Instant now) {
    checkSize(json);
    Map<String, Object> change = JsonTree.parse(json, MALFORMED);
    if (dialect == Dialect.CLASSIC) {
      checkChange(Fields.root(change), current.name().job());
    }
    Map<String, Object> whole = StoredForm.tree(current.definition());
    Retyping.prepare(whole, dialect.isEnveloped() ? inEnvelope(change) : change);
    Map<String, Object> patched = dialect.isEnveloped() ? Map.of("properties", whole) : whole;
    Submission submission = submission(MergePatch.apply(patched, change), current.created(), now);
    checkSize(JsonBytes.of(out -> DefinitionWriter.write(out, submission.definition(), dialect)));
    return submission;
  }

  /** Reads a change of the state of many jobs, which can say nothing else. */
  public JobState readState(byte[] json) {
    checkSize(json);
    Fields fields = properties(JsonTree.parse(json, MALFORMED));
    fields.allowOnly(Set.of("state"), dialect);
    return state(fields).orElseThrow(() -> fields.missing("state"));
  }

  /** What the service documented for PATCH; the state is looked at with everything else. */
  private static void checkChange(Fields change, String id) {
    if (change.has("status")) {
      throw JobException.invalid("status: is set by the scheduler only; leave it out");
    }
    if (change.text("id").filter(given -> !given.equalsIgnoreCase(id)).isPresent()) {
      throw change.refusal("id", "must be the id in the path, or be left out");
    }
  }

  private Submission submission(Map<String, Object> document, Instant created, Instant now) {
    Fields fields = properties(document);
    fields.allowOnly(KNOWN, dialect);
    Optional<JobState> state = state(fields);
    JobDefinition definition = definitions.read(fields);
    return new Submission(definition, state, timeRules.check(definition, created, now));
  }

  @SuppressWarnings("unchecked") // JsonTree makes no other maps
  private static Map<String, Object> inEnvelope(Map<String, Object> change) {
    return change.get("properties") instanceof Map<?, ?> inner
        ? (Map<String, Object>) inner
        : Map.of();
  }

  private Fields properties(Map<String, Object> document) {
    Fields fields = Fields.root(document);
    return dialect.isEnveloped() ? fields.requiredObject("properties").asRoot() : fields;
  }

  private static Optional<JobState> state(Fields fields) {
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
