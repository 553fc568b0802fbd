package carillon.store.job;

import carillon.job.JobDefinition;
import carillon.job.Pause;
import carillon.job.name.JobName;
import carillon.job.name.JobState;
import java.time.Instant;
import java.util.Optional;

/**
 * New content of a job.
 *
 * @param epoch the collection's epoch as the writer knows it
 * @param pause pause of an existing disabled job
 */
record JobContent(
    JobName name, long epoch, JobDefinition definition, JobState state, Optional<Pause> pause) {
  Optional<Instant> resumedAt() {
    return pause.flatMap(Pause::until);
  }
}
