package carillon.store.attempt;

import java.util.List;
import java.util.OptionalLong;

/**
 * What one look at a partition brought.
 *
 * @param attempts taken, oldest first
 * @param damaged taken, and not to be understood
 * @param next epoch millisecond of the earliest entry that was left, if any
 * @param at what Redis' clock showed after it, epoch ms: what waited for a later instant was taken
 *     too early, since that clock was set back meanwhile
 */
public record ClaimResult(
    List<ClaimedAttempt> attempts, List<DamagedEntry> damaged, OptionalLong next, long at) {}
