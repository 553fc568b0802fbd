package carillon.json;

import carillon.job.JobDefinition;
import carillon.job.JobState;
import carillon.job.TraceContext;
import java.time.Instant;
import java.util.Optional;

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
