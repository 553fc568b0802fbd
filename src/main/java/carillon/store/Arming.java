package carillon.store;

import carillon.job.HistoryEntry;
import carillon.job.Run;
import java.time.Instant;
import java.util.Optional;

/**
 * What is to wait after the claim of an occurrence.
 *
 * @param run the claim
 * @param moved the same, standing for a later occurrence if earlier ones were missed
 * @param next the following occurrence, if there is one
 * @param skipped how many occurrences were missed
 * @param entry what the history keeps of those
 */
public record Arming(
    Run run, Run moved, Optional<Instant> next, long skipped, Optional<HistoryEntry> entry) {}
