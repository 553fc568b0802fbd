package carillon.life;

import carillon.life.EditedProduct.Edit;

/** Bugs of late occurrences and of overlapping executions. */
@SuppressWarnings("ImmutableEnumChecker") // lists that are copies
enum OccurrencePlant implements Plant {
  /** An occurrence is begun regardless of its lateness. */
  BEGUN_TOO_LATE(
      Rule.EXPIRED,
      Theme.NODES,
      """
      PUT j0: once, begun within 2 s, at the slow target, starts at second 1
      node a pauses
      node b pauses
      clock +200 s, with heartbeats
      node a is well again
      node b is well again
      all nodes poll
      """,
      new Edit(
          "carillon/job/OccurrencePolicy.java",
          "planned(nominal).plus(limit).isBefore(now)",
          "limit.isNegative()")),
  /** Missed occurrences are made up without a pause between them. */
  UNPACED(
      Rule.PACED,
      Theme.ALL,
      """
      PUT j0: every 2 s, all of 10 missed, starts at second 0
      clock +6 s
      all nodes poll
      """,
      new Edit(
          "carillon/timer/NextOccurrencePlanner.java",
          "now.plus(policy.missed().orElseThrow().pace())",
          "planned")),
  /** A node makes up one more missed occurrence than the job asks for. */
  ONE_TOO_MANY(
      Rule.MISSED,
      Theme.LATENESS,
      """
      node a pauses
      node b pauses
      PUT j0: every 2 s, all of 3 missed, at the slow target, starts at second 0
      clock +9 s            -- seconds 2, 4, 6 and 8 are missed
      node a is well again
      all nodes poll
      """,
      new Edit(
          "carillon/timer/NextOccurrencePlanner.java",
          "timetable.between(claimed, latest, max) < max",
          "timetable.between(claimed, latest, max + 1) <= max")),
  /** A late occurrence is begun although the job asks for no missed ones. */
  NONE_IS_LATEST(
      Rule.EXPIRED,
      Theme.LATENESS,
      """
      PUT j0: every 90 s, none missed, starts at second 1
      node a pauses
      node b pauses
      clock +200 s, with heartbeats    -- second 181 would be in time
      clock +200 s, with heartbeats    -- second 361 is 39 s ago
      clock +200 s, with heartbeats    -- second 541 is 59 s ago
      clock +2 s
      node a is well again
      node b is well again
      all nodes poll
      """,
      new Edit(
          "carillon/job/OccurrencePolicy.java", "? Optional.of(IN_TIME)", "? Optional.empty()")),
  /**
   * After a change of its job, a claim for its own instant gets the lateness of the latest missed
   * one.
   */
  LATE_AS_ANOTHER(
      Rule.EXPIRED,
      Theme.LATENESS,
      """
      node a pauses
      node b pauses
      PUT j0: every 5 s, begun within 2 s, at the slow target, starts at second 0
      node a: its next schedule_next is held
      clock +11 s                       -- second 10 is to be begun, second 5 is missed
      node a is well again
      all nodes poll
      PATCH j0: no retries
      node a: what is held goes on      -- with the bug, second 5 is begun
      """,
      new Edit(
          "carillon/timer/DecisionExecutor.java",
          "ClaimPlanner.unlessExpired(perform, ready.claim.attempt(), clock.instant())",
          "ClaimPlanner.unlessExpired(perform, clock.instant())")),
  /** An execution that waits for the end of another is lost when the job is disabled. */
  BUFFERED_LOST(
      Rule.OWED,
      Theme.OVERLAP,
      """
      node b pauses
      the slow target keeps its callers waiting
      PUT j0: every 2 s, two wait, at the slow target, starts at second 0
      clock +2 s
      all nodes poll
      until the target is called
      clock +2 s
      all nodes poll
      until a next occurrence waits
      until a next occurrence waits    -- second 4 waits for the end of second 2
      disable j0
      the slow target answers all, and is slow no longer
      until a finish is performed
      """,
      new Edit(
          "lua/overlap.lua",
          "release_buffered(job, due, state)",
          "checked_call('ZREM', execution_list_of(job), state)")),
  /**
   * An occurrence that was skipped because of an overlap is begun when another node takes it over.
   */
  SKIPPED_AND_TAKEN_OVER(
      Rule.OVERLAP,
      Theme.OVERLAP,
      """
      node b pauses
      the slow target keeps its callers waiting
      PUT j0: every 2 s, skipping what overlaps, at the slow target, starts at second 0
      clock +2 s
      all nodes poll
      until the target is called
      node a: its next finish is held    -- that of second 4, which is skipped
      clock +2 s
      all nodes poll
      until a next occurrence waits
      until a next occurrence waits
      node a dies
      node b is well again
      clock +200 s, with heartbeats
      all nodes poll
      """,
      new Edit(
          "lua/begin_attempt.lua",
          "if occurrence ~= '0' and string.find(claim, ' main=1 ', 1, true) then return 'OVERLAP'"
              + " end",
          "")),
  /** An execution that ends while its job is changed stays open indefinitely. */
  EXECUTION_LEFT(
      Rule.OVERLAP,
      Theme.OVERLAP,
      """
      node b pauses
      the slow target keeps its callers waiting
      PUT j0: every 2 s, skipping what overlaps, at the slow target, starts at second 0
      clock +2 s
      all nodes poll
      until the target is called
      disable j0
      node a dies
      node b is well again
      clock +200 s, with heartbeats
      all nodes poll
      until a finish is performed    -- as its job was changed
      enable j0
      """,
      new Edit(
          "carillon/timer/ClaimPlanner.java",
          "known.occurrences().overlap().isPresent()).orElse(true);",
          "known.occurrences().overlap().isPresent()).orElse(false);")),
  /**
   * A requested execution at the exact instant of an occurrence is mistaken for that occurrence.
   */
  RUN_AT_THE_INSTANT(
      Rule.OVERLAP,
      Theme.OVERLAP,
      """
      the slow target keeps its callers waiting
      PUT j0: every 2 s, skipping what overlaps, at the slow target, starts at second 1
      clock to the next full second
      run j0
      all nodes poll
      until the target is called
      the slow target answers one
      until a finish is performed    -- with the bug, neither is under way any more
      clock +2 s
      all nodes poll
      """,
      new Edit(
          "lua/overlap.lua",
          "(string.find(attempt, ' occurrence=0 ', 1, true) and ' requested ' or ' ')",
          "' '"));

  private final Bug bug;

  /**
   * Creates a bug.
   *
   * @param steps the words of its walk
   */
  OccurrencePlant(Rule rule, Theme theme, String steps, Edit... edits) {
    this.bug = Bug.of(rule, theme, steps, edits);
  }

  @Override
  public Bug bug() {
    return bug;
  }
}
