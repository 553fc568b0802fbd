package carillon.job.attempt;

import carillon.job.name.WireWord;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The record of one attempt, or of skipped occurrences.
 *
 * @param start when the attempt began
 * @param end when its outcome was known
 * @param dueAt when the occurrence was due
 * @param status how it went
 * @param phase which action
 * @param occurrence number of the occurrence, 0 for an execution outside the schedule
 * @param retry 0 for a first attempt, n for the n-th retry
 * @param execution id that the target saw; empty where nothing was sent
 * @param message answer of the target, or reason why nothing was sent
 * @param reason why it was skipped, or {@link Reason#INTERRUPTED}; empty for any other attempt, and
 *     if the stored word is unknown
 * @param skip occurrences of a skipped entry, from {@code dueAt} on
 * @param call machine-readable form of the message; {@link CallDetail#NONE} if no call was made
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
    Optional<Skip> skip,
    CallDetail call)
    implements HistoryItem {
  /** Largest number of occurrences that are counted for one record. */
  public static final long MAX_COUNTED = 10_000;

  /** The record of an attempt that ended with this message. */
  public static HistoryEntry of(
      Attempt attempt, Instant start, Instant end, Status status, String message) {
    return new HistoryEntry(
        start,
        end,
        attempt.dueAt(),
        status,
        attempt.phase(),
        attempt.occurrence(),
        attempt.number() - 1,
        attempt.executionId(),
        message,
        Optional.empty(),
        Optional.empty(),
        CallDetail.NONE);
  }

  /**
   * The record of an attempt that was in flight when its node ended, and is not repeated.
   *
   * @param text why not, for people
   */
  public static HistoryEntry interrupted(Attempt attempt, Instant now, String text) {
    String message =
        "Interrupted: its node ended before the outcome was known, so the call may have been made."
            + " Not repeated: "
            + text;
    return of(attempt, now, now, Status.FAILED, message)
        .reasoned(Reason.INTERRUPTED, Optional.empty());
  }

  /**
   * The record of a skipped attempt or occurrence.
   *
   * @param text why, for people
   */
  public static HistoryEntry skipped(Attempt attempt, Instant now, Reason reason, String text) {
    return skipped(attempt, new Skip(1, attempt.dueAt()), now, reason, text);
  }

  /**
   * The record of skipped occurrences.
   *
   * @param attempt that of the first
   * @param text why, for people
   */
  public static HistoryEntry skipped(
      Attempt attempt, Skip skip, Instant now, Reason reason, String text) {
    return of(attempt, now, now, Status.SKIPPED, "Not performed: " + text)
        .reasoned(reason, Optional.of(skip));
  }

  /** The record of an attempt of which only this is known: its job is damaged. */
  public static HistoryEntry damaged(Instant now, String text) {
    return new HistoryEntry(
        now,
        now,
        now,
        Status.FAILED,
        Attempt.Phase.MAIN,
        Attempt.REQUESTED,
        0,
        "",
        text,
        Optional.empty(),
        Optional.empty(),
        CallDetail.NONE);
  }

  /** Returns this entry with another message. */
  public HistoryEntry withMessage(String other) {
    return with(other, reason, skip, call);
  }

  /** Returns this entry with the details of its call. */
  public HistoryEntry withCall(CallDetail made) {
    return with(message, reason, skip, made);
  }

  private HistoryEntry reasoned(Reason why, Optional<Skip> skipped) {
    return with(message, Optional.of(why), skipped, call);
  }

  private HistoryEntry with(
      String text, Optional<Reason> why, Optional<Skip> skipped, CallDetail made) {
    return new HistoryEntry(
        start, end, dueAt, status, phase, occurrence, retry, execution, text, why, skipped, made);
  }

  /**
   * Occurrences of a skipped entry; the first was due at its {@code dueAt}.
   *
   * @param count their number; {@link #MAX_COUNTED} means that many or more
   * @param to when the last was due
   */
  public record Skip(long count, Instant to) {
    /** Words for the occurrences, with a verb. */
    public String were(Instant from) {
      if (count == 1) {
        return "the occurrence of " + from + " was";
      }
      String number = count >= MAX_COUNTED ? "at least " + MAX_COUNTED : Long.toString(count);
      return number + " occurrences from " + from + " were";
    }
  }

  /**
   * Machine-readable result of a call.
   *
   * @param statusCode of an HTTP answer
   * @param bodyBytes length of a body that is longer than the message keeps
   * @param error why there was no answer
   */
  public record CallDetail(
      OptionalInt statusCode, OptionalLong bodyBytes, Optional<CallError> error) {
    /** No details are known. */
    public static final CallDetail NONE =
        new CallDetail(OptionalInt.empty(), OptionalLong.empty(), Optional.empty());

    /** Returns the details of a call without an answer. */
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
      /** No route leads to the address. */
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
   * Short result of an attempt.
   *
   * @param start when it began
   * @param end when its outcome was known
   */
  public record Summary(Instant start, Instant end, Status status) {}

  /** Result of an attempt. */
  public enum Status implements WireWord {
    COMPLETED,
    FAILED,
    /** Not performed, and the message says why. */
    SKIPPED,
    /** No attempt: a {@link HistoryMark}. */
    MARKED;

    /** Statuses of history entries: of attempts, and of skipped occurrences. */
    public static final List<Status> OF_ENTRIES = List.of(COMPLETED, FAILED, SKIPPED);
  }

  /** Reason why something was not performed, or is not known to have been performed. */
  public enum Reason implements WireWord {
    /** No node was available in time, and a later occurrence runs instead. */
    MISSED,
    /** A client changed, replaced or disabled the job. */
    CHANGED,
    /** A client deleted the job. */
    DELETED,
    /** The attempt did not begin within the time that the job allows. */
    EXPIRED,
    /** Another execution of the job was under way. */
    OVERLAP,
    /** A calendar of the job excludes its instant. */
    EXCLUDED,
    /** The job collection is disabled. */
    COLLECTION_DISABLED,
    /**
     * The node ended while the attempt was in flight. It counts as failed, although the target may
     * have completed it.
     */
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

    /** Whether the item matches the filter. */
    public boolean matches(HistoryItem item) {
      return conditions.stream().allMatch(condition -> condition.test(item));
    }

    /** Operator of a comparison. */
    public enum Comparison {
      EQ,
      GE,
      GT,
      LE,
      LT;

      /** Returns the condition that a time of an item has this relation to an instant. */
      public Predicate<HistoryItem> with(Function<HistoryItem, Instant> time, Instant instant) {
        return item -> holds(time.apply(item).compareTo(instant));
      }

      /**
       * Whether the comparison holds.
       *
       * @param order below 0, 0 or above 0, as a comparator returns it
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
