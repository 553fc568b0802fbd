package carillon.store.attempt;

import java.util.Optional;

/**
 * A claim that cannot be understood: only a hand or a bug can have written what it was made from.
 *
 * @param claim as it stands in Redis
 * @param job key of the job, where it is the job that is damaged
 * @param reason for the log and the history
 */
public record DamagedEntry(String claim, Optional<String> job, String reason) {}
