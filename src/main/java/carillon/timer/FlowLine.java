package carillon.timer;

import carillon.job.action.Destination;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * Line of the attempts that a {@link FlowGate} keeps in memory for a moment, by score and then by
 * arrival. Also counts the arrivals. All times are in epoch milliseconds of the node's clock.
 *
 * @param <W> an attempt
 */
final class FlowLine<W> {
  /** Maximum time an attempt is kept. Nobody notices such a delay. */
  static final long MAX_KEPT = CompletionRate.WINDOW;

  private static final long NEVER = Long.MAX_VALUE;

  private final TreeSet<InLine<W>> line =
      new TreeSet<>(
          Comparator.<InLine<W>>comparingLong(InLine::score).thenComparingLong(InLine::number));

  private final AttemptFacts<W> facts;
  private final Arrivals arrivals = new Arrivals();
  private final Map<Destination, Integer> destinations = new HashMap<>();
  private long count;

  /** No attempt is kept too long before this instant. */
  private long overdueAt = NEVER;

  private record InLine<W>(W attempt, long score, long number, long since) {}

  /** Properties of attempts. */
  interface AttemptFacts<W> {
    /** Position in the line: the lowest score is first. */
    long score(W attempt);

    Destination destination(W attempt);

    /** Number of calls to a destination that can begin at this node. */
    int places(Destination destination);

    /** Whether places of a destination become free so fast that calls can wait for them. */
    boolean isQuick(Destination destination);
  }

  FlowLine(AttemptFacts<W> facts) {
    this.facts = facts;
  }

  /** Whether its destination has a free place. */
  boolean hasPlace(W attempt) {
    return facts.places(facts.destination(attempt)) > 0;
  }

  /** Counts an attempt that has become due and has a place, whether it is kept or not. */
  void arrived(W attempt, long now) {
    if (hasPlace(attempt)) {
      arrivals.add(now);
    }
  }

  /**
   * Number of attempts with a place that became due in the previous slice of time, one token
   * lifetime long.
   */
  int arrivals(long now) {
    return arrivals.ofLastSlice(now);
  }

  /** Counts the attempts that become due within the lifetime of a token. */
  private static final class Arrivals {
    private long slice;
    private int count;
    private int before;

    void add(long now) {
      turn(now);
      count++;
    }

    /** Number of attempts in the previous slice of time. */
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

  /** Number of kept attempts that find a place at their destination. */
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

  /** Score of the first attempt; empty if the line is empty. */
  OptionalLong first() {
    return line.isEmpty() ? OptionalLong.empty() : OptionalLong.of(line.first().score);
  }

  void add(W attempt, long now) {
    line.add(new InLine<>(attempt, facts.score(attempt), count++, now));
    destinations.merge(facts.destination(attempt), 1, Integer::sum);
    overdueAt = Math.min(overdueAt, now + MAX_KEPT);
  }

  /**
   * Removes and returns the first attempt that is taken. Offers attempts in order, as long as the
   * next one can be served.
   *
   * @param isServed whether an attempt with this score can be served
   * @param taken takes an attempt out of the line; false if it must stay
   */
  Optional<W> next(LongPredicate isServed, Predicate<W> taken) {
    for (Iterator<InLine<W>> each = line.iterator(); each.hasNext(); ) {
      InLine<W> next = each.next();
      if (!isServed.test(next.score)) {
        return Optional.empty();
      }
      if (taken.test(next.attempt)) {
        each.remove();
        left(next.attempt);
        return Optional.of(next.attempt);
      }
    }
    return Optional.empty();
  }

  private void left(W attempt) {
    destinations.computeIfPresent(
        facts.destination(attempt), (of, count) -> count == 1 ? null : count - 1);
  }

  /** Returns when an attempt may have been kept too long; {@link Long#MAX_VALUE} for never. */
  long overdueAt() {
    return line.isEmpty() ? NEVER : overdueAt;
  }

  /** Removes the attempts that were kept too long. */
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
