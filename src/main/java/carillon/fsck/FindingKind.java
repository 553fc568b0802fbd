package carillon.fsck;

import carillon.job.name.WireWord;
import java.util.Locale;

/** Kind of a finding. Its word is used in reports and in the documentation. */
public enum FindingKind implements WireWord {
  /** A job with a next occurrence that nothing waits for: it would never run again. */
  NOT_DUE,
  /** The due entry of a job's next occurrence has another instant. */
  WRONG_INSTANT,
  /** An enabled job without a next occurrence, although its schedule is not over. */
  NO_NEXT,
  /** A job whose schedule is over, without an entry to end it. It would stay enabled forever. */
  NEVER_ENDS,
  /** A completed or faulted job that nothing would ever purge. */
  NO_PURGE,
  /** A pause with an end, but without the entry that would end it. */
  NEVER_RESUMES,
  /** Executions that have not ended are miscounted: a job ends too early or never, or waits. */
  WRONG_COUNT,
  /** An entry that waits for a missing job, or for nothing. */
  DUE_WITHOUT_JOB,
  /** An overdue retry of a missing job: nobody drops it. */
  RUN_WITHOUT_JOB,
  /** A job that lists do not show. */
  NOT_INDEXED,
  /** Lists show a missing job, or an existing job in a wrong state. */
  WRONG_INDEX,
  /** A calendar's list of jobs lacks one that names it: changes of the calendar pass it by. */
  NO_CALENDAR_ENTRY,
  /** A calendar's list of jobs has one that is not there, or does not name it. */
  CALENDAR_ENTRY_WITHOUT_JOB,
  /** A history of a job that is not there. */
  HISTORY_WITHOUT_JOB,
  /** A job and its history disagree about whether there is one. */
  WRONG_HISTORY_SIZE,
  /** Claims under the name of an unknown node: nobody would take them over. */
  CLAIMS_OF_NOBODY,
  /** Attempts in a waiting list although nothing holds them, or in a list that no node reads. */
  HELD_FOR_EVER,
  /** A job of a bounded collection without an entry in its quota. */
  NO_QUOTA_ENTRY,
  /** An entry in the quota of a bounded collection for a job that is not there. */
  QUOTA_ENTRY_WITHOUT_JOB,
  /** Jobs whose collection is not there. */
  NO_COLLECTION,
  /** A collection that lists do not show. */
  NOT_LISTED,
  /** A list shows a collection that is not there. */
  LISTED_WITHOUT_COLLECTION,
  /** The disabled marker says another thing than the state of the collection. */
  WRONG_DISABLED_MARKER,
  /** The stored bounds of a collection are not those of its definition. */
  WRONG_LIMITS,
  /** Remains of a deletion that nobody will sweep, or the name of a waiting list that is gone. */
  REMAINS,
  /** A key in a partition that its name does not belong to. */
  WRONG_PARTITION,
  /** A key that holds something of another Redis type. */
  WRONG_TYPE,
  /** A secret of a job that is not sealed in Redis, for example after a manual change. */
  SECRET_IN_CLEAR,
  /** A value or member that cannot be read. */
  UNREADABLE;

  private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** The word for the kind in reports, {@code not-due}. */
  @Override
  public String word() {
    return word;
  }
}
