package carillon.timer;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/**
 * Waiting lists of one flow, as this node knows them: what waits in Redis in each partition that it
 * serves. A value that is told what happens; the claim of a list begins and ends here.
 */
final class FlowWaitingLists {
  private final Map<Integer, WaitingList> lists = new TreeMap<>();
  private final Set<Integer> claiming = new HashSet<>();

  /**
   * What waits in one partition.
   *
   * @param oldest score of the first of them
   * @param count how many there are, about
   */
  private record WaitingList(long oldest, int count) {}

  /**
   * A claim to be made of a waiting list.
   *
   * @param partition of the list
   * @param limit most attempts
   * @param generation of the breaker that granted the tokens for them
   */
  record ListClaim(int partition, int limit, long generation) {}

  boolean isEmpty() {
    return lists.isEmpty();
  }

  /** How much waits in all of them, about. */
  int size() {
    return lists.values().stream().mapToInt(WaitingList::count).sum();
  }

  /** The least score of all; empty when nothing waits. */
  OptionalLong oldest() {
    return lists.values().stream().mapToLong(WaitingList::oldest).min();
  }

  /** One more waits in a partition. */
  void add(int partition, long score) {
    lists.merge(
        partition,
        new WaitingList(score, 1),
        (old, one) -> new WaitingList(Math.min(old.oldest, score), old.count + 1));
  }

  /** What Redis has in a partition; {@code oldest} is empty when nothing waits there. */
  void set(int partition, OptionalLong oldest, int count) {
    if (oldest.isPresent() && count > 0) {
      lists.put(partition, new WaitingList(oldest.getAsLong(), count));
    } else {
      lists.remove(partition);
    }
  }

  /**
   * Begins a claim of the list whose first is the oldest, of those that no claim is under way for;
   * {@link #claimed} or {@link #claimFailed} follows.
   *
   * @param limit most attempts
   * @param generation of the breaker that granted the tokens for them
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

  /** A claim has brought {@code taken} attempts; {@code oldest} is empty when nothing is left. */
  void claimed(ListClaim claim, int taken, OptionalLong oldest) {
    claiming.remove(claim.partition());
    WaitingList list = lists.get(claim.partition());
    int left = list == null ? 0 : list.count - taken;
    set(claim.partition(), oldest, oldest.isPresent() ? Math.max(1, left) : 0);
  }

  /** A claim was not answered: its list is as it was. */
  void claimFailed(ListClaim claim) {
    claiming.remove(claim.partition());
  }

  /** Keeps only the lists of partitions that this node serves. */
  void retain(IntPredicate serves) {
    lists.keySet().removeIf(partition -> !serves.test(partition));
  }
}
