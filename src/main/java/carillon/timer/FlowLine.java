package carillon.timer;

import carillon.job.Destination;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * Line of the attempts that a {@link FlowGate} keeps in memory for a moment: the least score is
 * first, of equals the one that came first. It counts how many come, too. All times in epoch
 * milliseconds of the node's clock.
 *
 * @param <W> an attempt
 */
final class FlowLine<W> {
  /** How long an attempt is kept, at most: a delay that nobody notices. */
  static final long MAX_KEPT = CompletionRate.WINDOW;

  private static final long NEVER = Long.MAX_VALUE;

  private final TreeSet<InLine<W>> line =
      new TreeSet<>(
          Comparator.<InLine<W>>comparingLong(InLine::score).thenComparingLong(InLine::number));

  private final AttemptFacts<W> facts;
  private final Arrivals arrivals = new Arrivals();
  private final Map<Destination, Integer> destinations = new HashMap<>();
  private long count;

  /** Nobody has been here for too long before. */
  private long overdueAt = NEVER;

  private record InLine<W>(W attempt, long score, long number, long since) {}

  /** What is to be known of attempts. */
  interface AttemptFacts<W> {
    /** Where it stands in line: the least is first. */
    long score(W attempt);

    /** What it calls. */
    Destination destination(W attempt);

    /** How many more calls of a destination can begin at this node. */
    int places(Destination destination);

    /** Whether places at a destination become free so fast that others can wait for it. */
    boolean isQuick(Destination destination);
  }

  FlowLine(AttemptFacts<W> facts) {
    this.facts = facts;
  }

  /** Whether a place at its destination is free. */
  boolean hasPlace(W attempt) {
    return facts.places(facts.destination(attempt)) > 0;
  }

  /** An attempt has become due, whether it will be kept or not. */
  void arrived(W attempt, long now) {
    if (hasPlace(attempt)) {
      arrivals.add(now);
    }
  }

  /** How many with a place became due within the life of a token, a moment ago. */
  int arrivals(long now) {
    return arrivals.ofLastSlice(now);
  }

  /** Count of the attempts that become due within the life of a token. */
  private static final class Arrivals {
    private long slice;
    private int count;
    private int before;

    void add(long now) {
      turn(now);
      count++;
    }

    /** How many there were in the slice of time before this one. */
    int ofLastSlice(long now) {
      turn(now);
      return before;
    }

    private void turn(long now) {
      long current = now / FlowTokens.TTL;
      if (current != slice) {
        before = current == slice + 1 ? count : 0;
        count = 0;
        slice = current;
      }
    }
  }

  int size() {
    return line.size();
  }

  /** How many of them find a place at their destination. */
  int withPlace() {
    int sum = 0;
    for (Map.Entry<Destination, Integer> each : destinations.entrySet()) {
      sum += Math.min(each.getValue(), facts.places(each.getKey()));
    }
    return sum;
  }

  boolean isEmpty() {
    return line.isEmpty();
  }

  /** The score of the first in line; empty where nobody is. */
  OptionalLong first() {
    return line.isEmpty() ? OptionalLong.empty() : OptionalLong.of(line.first().score);
  }

  void add(W attempt, long now) {
    line.add(new InLine<>(attempt, facts.score(attempt), count++, now));
    destinations.merge(facts.destination(attempt), 1, Integer::sum);
    overdueAt = Math.min(overdueAt, now + MAX_KEPT);
  }

  /**
   * Offers all, first in line first, as long as there is something to be had for the next.
   *
   * @param isServed whether there is, for one of this score
   * @param taken takes an attempt out of the line; false where it is to stay
   */
  void offer(LongPredicate isServed, Predicate<W> taken) {
    for (Iterator<InLine<W>> each = line.iterator(); each.hasNext(); ) {
      InLine<W> next = each.next();
      if (!isServed.test(next.score)) {
        return;
      }
      if (taken.test(next.attempt)) {
        each.remove();
        left(next.attempt);
      }
    }
  }

  private void left(W attempt) {
    destinations.computeIfPresent(
        facts.destination(attempt), (of, count) -> count == 1 ? null : count - 1);
  }

  /** When somebody may have been kept for too long; {@link Long#MAX_VALUE} for never. */
  long overdueAt() {
    return line.isEmpty() ? NEVER : overdueAt;
  }

  /** Removes those that have been kept for too long. */
  List<W> overdue(long now) {
    if (now < overdueAt()) {
      return List.of();
    }
    List<W> overdue = remove(kept -> now - kept.since >= MAX_KEPT);
    overdueAt = line.stream().mapToLong(kept -> kept.since + MAX_KEPT).min().orElse(NEVER);
    return overdue;
  }

  /** Removes the attempts that match. */
  List<W> withdraw(Predicate<W> filter) {
    return remove(kept -> filter.test(kept.attempt));
  }

  private List<W> remove(Predicate<InLine<W>> filter) {
    List<W> removed = new ArrayList<>();
    line.removeIf(kept -> filter.test(kept) && removed.add(kept.attempt));
    removed.forEach(this::left);
    return removed;
  }
}
