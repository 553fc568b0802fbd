package carillon.timer;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/**
 * Waiting lists of one flow as this node knows them: attempts waiting in Redis, for each partition
 * that it serves. Pure state: also records which lists are being claimed.
 */
final class FlowWaitingLists {
  private final Map<Integer, KnownList> lists = new TreeMap<>();
  private final Set<Integer> claiming = new HashSet<>();

  /**
   * Waiting attempts of one partition.
   *
   * @param oldest score of the first one
   * @param count approximate number
   */
  private record KnownList(long oldest, int count) {}

  /**
   * Claim of a waiting list.
   *
   * @param partition partition of the list
   * @param limit maximum number of attempts
   * @param generation generation of the breaker that granted the tokens for them
   */
  record ListClaim(int partition, int limit, long generation) {}

  boolean isEmpty() {
    return lists.isEmpty();
  }

  /** Approximate number of attempts in all lists. */
  int size() {
    return lists.values().stream().mapToInt(KnownList::count).sum();
  }

  /** Lowest score of all; empty if nothing waits. */
  OptionalLong oldest() {
    return lists.values().stream().mapToLong(KnownList::oldest).min();
  }

  /** Adds an attempt to the list of a partition. */
  void add(int partition, long score) {
    lists.merge(
        partition,
        new KnownList(score, 1),
        (old, one) -> new KnownList(Math.min(old.oldest, score), old.count + 1));
  }

  /** Sets the list of a partition; {@code oldest} is empty if nothing waits there. */
  void set(int partition, OptionalLong oldest, int count) {
    if (oldest.isPresent() && count > 0) {
      lists.put(partition, new KnownList(oldest.getAsLong(), count));
    } else {
      lists.remove(partition);
    }
  }

  /**
   * Begins a claim of the list with the oldest attempt, among the lists without a claim under way.
   * {@link #claimed} or {@link #claimFailed} must follow.
   *
   * @param limit maximum number of attempts
   * @param generation generation of the breaker that granted the tokens for them
   */
  Optional<ListClaim> claim(int limit, long generation) {
    Optional<ListClaim> claim =
        lists.entrySet().stream()
            .filter(list -> !claiming.contains(list.getKey()))
            .min((one, other) -> Long.compare(one.getValue().oldest, other.getValue().oldest))
            .map(
                list ->
                    new ListClaim(
                        list.getKey(), Math.min(limit, list.getValue().count), generation));
    claim.ifPresent(begun -> claiming.add(begun.partition()));
    return claim;
  }

  /** Ends a claim of {@code taken} attempts; {@code oldest} is empty if none remains. */
  void claimed(ListClaim claim, int taken, OptionalLong oldest) {
    claiming.remove(claim.partition());
    KnownList list = lists.get(claim.partition());
    int left = list == null ? 0 : list.count - taken;
    set(claim.partition(), oldest, oldest.isPresent() ? Math.max(1, left) : 0);
  }

  /** Ends a claim without an answer. Its list stays as it was. */
  void claimFailed(ListClaim claim) {
    claiming.remove(claim.partition());
  }

  /** Keeps only the lists of partitions that this node serves. */
  void retain(IntPredicate serves) {
    lists.keySet().removeIf(partition -> !serves.test(partition));
  }
}
