package carillon.store.attempt;

import carillon.job.Attempt;
import carillon.job.Claim;
import carillon.job.JobState;
import carillon.job.collection.Hold.HoldLevel;
import java.time.Instant;
import java.util.Optional;

/**
 * An attempt that this node now holds, with the job as it was at that moment.
 *
 * @param claim of the attempt
 * @param due epoch ms of the instant for which it waited
 * @param job empty when the job was deleted meanwhile
 */
public record ClaimedAttempt(Claim claim, long due, Optional<Job> job) {
  /** The attempt that is claimed. */
  public Attempt attempt() {
    return claim.attempt();
  }

  /**
   * The job of a claimed attempt.
   *
   * @param definition stored JSON, not read yet: a damaged one must not spoil the others of its
   *     batch
   * @param revision that attempts of the job carry
   * @param storedRevision of the job itself, as stored: another one where the job was changed, and
   *     what was under way went on
   * @param state of the job
   * @param next the next occurrence as stored; still the claimed one when none was scheduled after
   *     it
   * @param name {@code collection/job} in the case they were given
   * @param held what was paused when it was claimed, the widest; empty where nothing was
   * @param created where the job's instants are counted from when it has no start time
   */
  public record Job(
      String definition,
      long revision,
      String storedRevision,
      JobState state,
      Optional<Instant> next,
      Optional<HoldLevel> held,
      Instant created,
      String name) {}
}
