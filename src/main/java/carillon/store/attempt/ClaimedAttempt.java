package carillon.store.attempt;

import carillon.job.attempt.Attempt;
import carillon.job.attempt.Claim;
import carillon.job.collection.Hold.HoldLevel;
import carillon.job.name.JobState;
import java.time.Instant;
import java.util.Optional;

/**
 * An attempt that this node now holds, with its job at the time of the claim.
 *
 * @param claim hold on the attempt
 * @param due instant for which the attempt waited, epoch ms
 * @param job empty if the job was deleted in the meantime
 */
public record ClaimedAttempt(Claim claim, long due, Optional<Job> job) {
  public Attempt attempt() {
    return claim.attempt();
  }

  /**
   * The job of a claimed attempt.
   *
   * @param definition stored JSON, still unparsed, so that a damaged one does not affect the others
   *     of its batch
   * @param revision revision that attempts of the job carry
   * @param storedRevision revision of the job itself, as stored; differs if a change of the job let
   *     its attempts continue
   * @param state state of the job
   * @param next the stored next occurrence; still the claimed one if none was scheduled after it
   * @param name {@code collection/job} in its original case
   * @param held widest pause at the time of the claim; empty if nothing was paused
   * @param created base of the job's instants if it has no start time
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
