package carillon.store;

import carillon.job.JobState;
import carillon.job.Run;
import java.time.Instant;
import java.util.Optional;

/**
 * A run that this node now holds, with the job as it was at that moment.
 *
 * @param run the claim
 * @param job empty when the job was deleted meanwhile
 */
public record Claimed(Run run, Optional<Job> job) {
  /**
   * The job of a claimed run.
   *
   * @param definition stored JSON, not read yet: a damaged one must not spoil the others of its
   *     batch
   * @param revision of the job
   * @param state of the job
   * @param next the next occurrence as stored; still the claimed one when nothing was armed after
   *     it
   * @param name {@code collection/job} in the case they were given
   * @param created where the job's instants are counted from when it has no start time
   */
  public record Job(
      String definition,
      long revision,
      JobState state,
      Optional<Instant> next,
      Instant created,
      String name) {}
}
