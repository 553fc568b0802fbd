package carillon.job;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The record of one attempt, or of occurrences that were not performed.
 *
 * @param start when the attempt began
 * @param end when its outcome was known
 * @param dueAt when the occurrence was due
 * @param status how it went
 * @param phase which action
 * @param occurrence number of the occurrence, 0 for an execution outside the schedule
 * @param retry 0 for a first attempt, n for the n-th retry
 * @param execution id that the target saw; empty where nothing was sent
 * @param message what the target answered or why nothing was sent
 * @param reason why it was skipped, or {@link Reason#INTERRUPTED}; empty for any other attempt, and
 *     for what earlier versions skipped
 * @param call what the message says, for machines; {@link CallDetail#NONE} where no call was made
 */
public record HistoryEntry(
    Instant start,
    Instant end,
    Instant dueAt,
    Status status,
    Attempt.Phase phase,
    int occurrence,
    int retry,
    String execution,
    String message,
    Optional<Reason> reason,
    CallDetail call)
    implements HistoryItem {
  /** Occurrences that one record stands for are counted up to here. */
  public static final long MAX_COUNTED = 10_000;

  /** The record of an attempt. */
  public HistoryEntry(
      Instant start,
      Instant end,
      Instant dueAt,
      Status status,
      Attempt.Phase phase,
      int occurrence,
      int retry,
      String execution,
      String message) {
    this(
        start,
        end,
        dueAt,
        status,
        phase,
        occurrence,
        retry,
        execution,
        message,
        Optional.empty(),
        CallDetail.NONE);
  }

  /** This entry with another message. */
  public HistoryEntry withMessage(String otherMessage) {
    return new HistoryEntry(
        start, end, dueAt, status, phase, occurrence, retry, execution, otherMessage, reason, call);
  }

  /**
   * The record of an attempt that was in flight on a node when that ended, and is not made again.
   *
   * @param text why not, for people
   */
  public static HistoryEntry interrupted(Attempt attempt, Instant now, String text) {
    return new HistoryEntry(
        now,
        now,
        attempt.dueAt(),
        Status.FAILED,
        attempt.phase(),
        attempt.occurrence(),
        attempt.number() - 1,
        attempt.executionId(),
        "Interrupted: its node ended before the outcome was known, so the call may have been made."
            + " Not repeated: "
            + text,
        Optional.of(Reason.INTERRUPTED),
        CallDetail.NONE);
  }

  /**
   * The record of an attempt, or an occurrence, that is not performed.
   *
   * @param text why, for people
   */
  public static HistoryEntry skipped(Attempt attempt, Instant now, Reason reason, String text) {
    return new HistoryEntry(
        now,
        now,
        attempt.dueAt(),
        Status.SKIPPED,
        attempt.phase(),
        attempt.occurrence(),
        attempt.number() - 1,
        attempt.executionId(),
        "Not performed: " + text,
        Optional.of(reason),
        CallDetail.NONE);
  }

  /**
   * Words for several occurrences that one record stands for.
   *
   * @param count at least so many where it is {@link #MAX_COUNTED}
   * @param from when the first was due
   */
  public static String occurrences(long count, Instant from) {
    String number = count >= MAX_COUNTED ? "at least " + MAX_COUNTED : Long.toString(count);
    return number + " occurrences from " + from;
  }

  /**
   * How a call went, for machines.
   *
   * @param statusCode of an HTTP answer
   * @param bodyBytes length of a body that is longer than the message keeps
   * @param error why there was no answer
   */
  public record CallDetail(
      OptionalInt statusCode, OptionalLong bodyBytes, Optional<CallError> error) {
    /** Nothing is known. */
    public static final CallDetail NONE =
        new CallDetail(OptionalInt.empty(), OptionalLong.empty(), Optional.empty());

    /** Of a call without an answer. */
    public static CallDetail of(CallError error) {
      return new CallDetail(OptionalInt.empty(), OptionalLong.empty(), Optional.of(error));
    }
  }

  /**
   * Why a call had no answer.
   *
   * @param cause for people, with the address that was called
   */
  public record CallError(ErrorKind kind, String cause) {
    /** Classes of causes. */
    public enum ErrorKind implements WireWord {
      /** The host refused the connection. */
      REFUSED,
      /** No connection, or no complete answer, in time. */
      TIMEOUT,
      /** The name has no address. */
      DNS,
      /** There is no way to the address. */
      UNREACHABLE,
      /** The handshake failed. */
      TLS,
      /** The egress policy does not allow the address. */
      EGRESS,
      /** The call has no credentials to show. */
      AUTHENTICATION,
      /** The connection ended before the answer. */
      CLOSED,
      /** The answer broke a bound or a rule. */
      ANSWER;
    }
  }

  /**
   * How an attempt went, in short.
   *
   * @param start when it began
   * @param end when its outcome was known
   */
  public record Summary(Instant start, Instant end, Status status) {}

  /** How an attempt went. */
  public enum Status implements WireWord {
    COMPLETED,
    FAILED,
    /** Not performed, and the message says why. */
    SKIPPED,
    /** No attempt: a {@link HistoryMark}. */
    MARKED;

    /** Those of attempts, and of what was not performed. */
    public static final List<Status> OF_ENTRIES = List.of(COMPLETED, FAILED, SKIPPED);
  }

  /** Why something was not performed, or is not known to have been. */
  public enum Reason implements WireWord {
    /** No node was there in time, and a later occurrence runs instead. */
    MISSED,
    /** A client changed, replaced or disabled the job. */
    CHANGED,
    /** A client deleted the job. */
    DELETED,
    /** It could not be begun within the time that the job gives it. */
    EXPIRED,
    /** Another execution of the job was under way. */
    OVERLAP,
    /** A calendar of the job excludes its instant. */
    EXCLUDED,
    /** The job collection is disabled. */
    COLLECTION_DISABLED,
    /** Its node ended while it was in flight: it failed, unless the target knows better. */
    INTERRUPTED;
  }

  /**
   * Filter of a history: the items that meet all conditions.
   *
   * @param conditions none means every item
   */
  public record HistoryFilter(List<Predicate<HistoryItem>> conditions) {
    public static final HistoryFilter ALL = new HistoryFilter(List.of());

    public HistoryFilter {
      conditions = List.copyOf(conditions);
    }

    public boolean isAll() {
      return conditions.isEmpty();
    }

    /** Whether the item is wanted. */
    public boolean matches(HistoryItem item) {
      return conditions.stream().allMatch(condition -> condition.test(item));
    }

    /** How a value is compared. */
    public enum Comparison {
      EQ,
      GE,
      GT,
      LE,
      LT;

      /** The condition that a time of an item compares so with an instant. */
      public Predicate<HistoryItem> with(Function<HistoryItem, Instant> time, Instant instant) {
        return item -> holds(time.apply(item).compareTo(instant));
      }

      /**
       * Whether it is met.
       *
       * @param order below 0, 0 or above 0, as comparators say it
       */
      public boolean holds(int order) {
        return switch (this) {
          case EQ -> order == 0;
          case GE -> order >= 0;
          case GT -> order > 0;
          case LE -> order <= 0;
          case LT -> order < 0;
        };
      }
    }
  }
}
