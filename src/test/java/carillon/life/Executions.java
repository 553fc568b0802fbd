package carillon.life;

import carillon.job.attempt.Attempt;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Executions of the jobs of one name if they must not overlap. A plain interpreter of {@code
 * overlap}: it receives the requests in the order in which Redis got them, and compares each answer
 * with its own.
 */
final class Executions {
  private final String job;
  private final Map<Id, State> open = new HashMap<>();

  /** Occurrences that must not be performed, however often they are claimed again. */
  private final Set<Id> refused = new HashSet<>();

  private final Set<String> ended = new HashSet<>();

  /** Identity of an execution. */
  private record Id(Instant nominal, boolean isRequested, long revision) {
    static Id of(Attempt attempt) {
      return new Id(attempt.dueAt(), attempt.isRequested(), attempt.revision());
    }
  }

  private enum State {
    /** A node has it, or had it when the node died. */
    UNDER_WAY,
    /** Its next attempt waits. */
    BETWEEN_ATTEMPTS,
    /** The execution waits for the end of the others. */
    BUFFERED
  }

  Executions(String job) {
    this.job = job;
  }

  private boolean isLetThrough(Id id) {
    return open.containsKey(id) && open.get(id) != State.BUFFERED;
  }

  /** Executions from before a change of the job block nobody, except for a call in flight. */
  private boolean isBusy(Id id, long revision) {
    return open.entrySet().stream()
        .anyMatch(
            other ->
                !other.getKey().equals(id)
                    && (other.getValue() == State.UNDER_WAY
                        || (other.getValue() == State.BETWEEN_ATTEMPTS
                            && other.getKey().revision == revision)));
  }

  private long buffered(long revision) {
    return open.entrySet().stream()
        .filter(one -> one.getValue() == State.BUFFERED && one.getKey().revision == revision)
        .count();
  }

  private ViolationException wrong(Id id, String what) {
    return new ViolationException(
        Rule.OVERLAP, job + " of " + id.nominal + " " + what + "; open are " + open);
  }

  /** An occurrence ends without a call, for another reason than an overlap. */
  void refuse(Attempt attempt) {
    refused.add(Id.of(attempt));
  }

  /**
   * Redis judged an occurrence.
   *
   * @param revision the job's
   * @param room how many others may wait
   */
  void judge(Attempt claimed, Attempt moved, long revision, int room, String word) {
    switch (word) {
      case "SCHEDULED" -> letThrough(Id.of(moved), revision, refused.contains(Id.of(moved)));
      case "STALE" -> letThrough(Id.of(claimed), revision, false);
      case "BUFFERED" -> {
        Id id = Id.of(moved);
        if (!isBusy(id, revision) || buffered(revision) >= room) {
          throw wrong(id, "is to wait, of at most " + room);
        }
        open.put(id, State.BUFFERED);
      }
      case "OVERLAP", "STALE_OVERLAP" -> {
        Id id = Id.of(word.equals("OVERLAP") ? moved : claimed);
        boolean isFull = buffered(revision) >= room || id.revision != revision;
        if (refused.add(id) && !(isBusy(id, revision) && isFull)) {
          throw wrong(id, "is not to be performed, room is for " + room);
        }
      }
      default -> {} // the claim was lost
    }
  }

  private void letThrough(Id id, long revision, boolean isRefused) {
    if (!isLetThrough(id) && (isRefused || isBusy(id, revision))) {
      throw wrong(id, "is begun" + (isRefused ? ", though it was not to be" : ""));
    }
    open.put(id, State.UNDER_WAY);
  }

  /** Redis was asked to begin an attempt that does not come from a newly claimed occurrence. */
  void begin(Attempt attempt, long revision, String word) {
    Id id = Id.of(attempt);
    boolean isJudged = attempt.isFirst() && !attempt.isRequested();
    boolean isOpen = isLetThrough(id);
    boolean holds =
        switch (word) {
          case "BEGUN" -> isOpen || (!isJudged && attempt.revision() == revision);
          case "OVERLAP" ->
              !isOpen && isJudged && refused.contains(id) && attempt.revision() == revision;
          // Any judgement after a change of the job may end an execution that waits for its next
          // attempt.
          case "CHANGED" -> open.get(id) != State.UNDER_WAY && attempt.revision() != revision;
          default -> true;
        };
    if (!holds) {
      throw wrong(id, "is " + word + " as revision " + revision);
    }
    if (word.equals("BEGUN")) {
      open.put(id, State.UNDER_WAY);
    }
  }

  /** Redis received the end of an attempt. */
  void finish(ScriptCall sent, Attempt attempt, long revision, String word) {
    Id id = Id.of(attempt);
    boolean isOfOverlap = isLetThrough(id) || !sent.argument(10).isEmpty();
    if (!isOfOverlap || word.equals("LOST") || !ended.add(sent.argument(1))) {
      return;
    }
    boolean isFollowed = !sent.argument(2).isEmpty();
    if (isFollowed && attempt.revision() == revision) {
      open.put(id, State.BETWEEN_ATTEMPTS);
      return;
    }
    open.remove(id);
    open.entrySet()
        .removeIf(one -> one.getKey().revision != revision && one.getValue() != State.UNDER_WAY);
    Optional<Id> next =
        open.keySet().stream()
            .filter(one -> open.get(one) == State.BUFFERED && !isBusy(one, revision))
            .min(Comparator.comparing(Id::nominal));
    next.ifPresent(one -> open.put(one, State.BETWEEN_ATTEMPTS));
    if (word.equals("RELEASED") != next.isPresent() && Set.of("DONE", "RELEASED").contains(word)) {
      throw wrong(id, "ends as " + word + ", and " + next + " was to begin");
    }
  }

  /** The target was called. */
  void call(Attempt attempt) {
    if (!isLetThrough(Id.of(attempt))) {
      throw wrong(Id.of(attempt), "is called");
    }
  }
}
