package carillon.codec;

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
  private static final Words<JobState> STATES =
      Words.of(Stream.of(JobState.values()), JobState::word);

  /** The first two and the last one are answered, and ignored when they come back. */
  private static final Set<String> KNOWN =
      Set.of("id", "name", "startTime", "action", "recurrence", "state", "status");

  private final Dialect dialect;
  private final Limits limits;
  private final DefinitionReader definitions;
  private final TimeRules timeRules;
  private final TargetRule targets;

  /** A reader that leaves it to the calls what they may reach. */
  public JobReader(Dialect dialect, Limits limits) {
    this(dialect, limits, TargetRule.NONE);
  }

  public JobReader(Dialect dialect, Limits limits, TargetRule targets) {
    this.dialect = dialect;
    this.limits = limits;
    this.definitions = new DefinitionReader(dialect, limits);
    this.timeRules = new TimeRules(limits);
    this.targets = targets;
  }

  /** Reads a whole job. */
  public Submission read(byte[] json, Instant now) {
    checkSize(json);
    Submission submission = submission(JsonTree.parse(json, MALFORMED), now, now);
    targets.check(submission.definition(), List.of());
    return submission;
  }

  /** Reads a change (RFC 7386) of a job: what it does not mention stays. */
  public Submission patch(StoredJob current, byte[] json, Instant now) {
    checkSize(json);
    Map<String, Object> change = JsonTree.parse(json, MALFORMED);
    Map<String, Object> whole = StoredForm.tree(current.definition());
    Map<String, Object> patched = dialect.isEnveloped() ? Map.of("properties", whole) : whole;
    Submission submission = submission(MergePatch.apply(patched, change), current.created(), now);
    targets.check(submission.definition(), TargetRule.places(current.definition()));
    checkSize(JsonBytes.of(out -> DefinitionWriter.write(out, submission.definition(), dialect)));
    return submission;
  }

  private Submission submission(Map<String, Object> document, Instant created, Instant now) {
    Fields fields = Fields.root(document);
    if (dialect.isEnveloped()) {
      fields = fields.requiredObject("properties").asRoot();
    }
    fields.allowOnly(KNOWN, dialect);
    Optional<JobState> state = fields.word("state", STATES);
    if (state.filter(JobState::isFinal).isPresent()) {
      throw fields.refusal("state", "is set by the scheduler only; use enabled or disabled");
    }
    JobDefinition definition = definitions.read(fields);
    return new Submission(definition, state, timeRules.check(definition, created, now));
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
