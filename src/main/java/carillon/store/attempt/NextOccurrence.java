package carillon.store.attempt;

import carillon.job.Attempt;
import carillon.job.HistoryEntry;
import java.time.Instant;
import java.util.Optional;

/**
 * The occurrence that is to wait after a claimed one.
 *
 * @param moved the claimed attempt, standing for a later occurrence if earlier ones were missed
 * @param at the instant of the occurrence, if there is one
 * @param skipped how many occurrences were missed
 * @param entry what the history keeps of those
 */
public record NextOccurrence(
    Attempt moved, Optional<Instant> at, long skipped, Optional<HistoryEntry> entry) {}
