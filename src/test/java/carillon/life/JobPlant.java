package carillon.life;

import carillon.life.EditedProduct.Edit;
import java.util.Set;

/** Bugs in the effects of clients, stopped nodes and failures on a job and its claims. */
@SuppressWarnings("ImmutableEnumChecker") // lists that are copies
enum JobPlant implements Plant {
  /** A release that Redis receives late or twice ends a later claim of the same attempt. */
  BLIND_RELEASE(
      Rule.REPEATED,
      Theme.QUEUES,
      """
      node b pauses                     -- j0 is node a's
      the slow target keeps its callers waiting
      PUT j0: once at the slow target, starts at second 3600
      run j0
      all nodes poll
      until the target is called        -- the only place is taken
      clock +1 s
      node a: its next defer comes late, after its connection was given up
      run j0
      all nodes poll
      until a defer is performed    -- the repeat, through another connection
      the slow target answers one
      until a finish is performed
      clock +2 s
      all nodes poll
      until the target is called        -- for what was released: a later claim of it
      node a: what is held goes on      -- with the bug, this claim is taken, too
      until a defer is performed
      """,
      new Edit(
          "lua/defer.lua",
          "if checked_call('HDEL', claims, ARGV[1]) == 0 then return 0 end",
          """
          local held = checked_call('HDEL', claims, ARGV[1])
          for _, other in ipairs(redis.call('HKEYS', claims)) do
            if held == 0 and unclaimed(other) == unclaimed(ARGV[1]) then held = redis.call('HDEL', claims, other) end
          end
          if held == 0 then return 0 end""")),
  /** An attempt that a claim defers because its destination is full does not come back. */
  LOST_WHEN_PUT_OFF(
      Rule.PLACES,
      Theme.QUEUES,
      """
      node b pauses                     -- j0 is node a's
      the slow target keeps its callers waiting
      PUT j0: once at the slow target, starts at second 3600
      run j0
      all nodes poll
      until the target is called        -- the only place is taken
      clock +1 s
      run j0
      all nodes poll
      until a defer is performed        -- this one was claimed: node a did not know yet
      clock +1 s
      run j0
      all nodes poll                    -- with the bug, this one is gone now
      the slow target answers one
      until a finish is performed
      """,
      new Edit(
          "lua/claim_due.lua",
          "later[#later + 1], deferred[#deferred + 1] = member, member",
          "taken[#taken + 1] = member"),
      new Edit(
          "lua/claim_due.lua",
          "if #later > 0 then redis.call('ZADD', list, unpack(later)) end",
          "")),
  /** A change uses the state that it read before, although the job has progressed since. */
  CHANGE_WITHOUT_COMPARISON(
      Rule.ONCE,
      Theme.CHANGES,
      """
      PUT j0: every 2 s, starts at second 0
      PATCH j0: no retries, held at its put_job    -- it goes by second 2 as what is next
      clock +2 s
      all nodes poll
      until a finish is performed
      the held request goes on                     -- with the bug, second 2 is next once more
      """,
      new Edit(
          "lua/put_job.lua",
          "if as_read ~= ARGV[16] then return 'MOVED' end",
          "if not ARGV[16] then return 'MOVED' end")),
  /** A change of descriptive text is treated as a change of the job's work. */
  WORDS_AS_A_CHANGE(
      Rule.OWED,
      Theme.CHANGES,
      """
      node b pauses
      PUT j0: every 2 s, starts at second 0
      node a: its next schedule_next is held
      clock +2 s
      all nodes poll
      PATCH j0: other words
      node a: what is held goes on    -- with the bug, none waits after second 2
      clock +2 s
      all nodes poll
      """,
      new Edit(
          "lua/put_job.lua", "  redis.call('HSETNX', job, 'attemptRevision', revision)\n", "")),
  /** A change drops due occurrences that were not begun, without a history entry. */
  SILENT_CHANGE(
      Rule.OWED,
      Theme.CHANGES,
      """
      PUT j0: every 2 s, starts at second 0
      node a pauses
      node b pauses
      clock +3 s
      disable j0    -- second 2 is due and not begun
      """,
      new Edit(
          "carillon/job/Rescheduling.java",
          "kept.isPresent() ? Optional.empty() : firstDropped(next)",
          "Optional.empty()")),
  /** The last request sets the disabled marker, and nobody checks it again. */
  MARKER_OF_THE_LAST(
      Rule.DISABLED_MARKER,
      Theme.DISABLING,
      """
      disable the collection, held at its set_disabled_marker
      enable the collection
      the held request goes on
      """,
      new Edit(
          "lua/set_disabled_marker.lua",
          "if revision and revision > tonumber(ARGV[3]) then return 'OVERTAKEN' end",
          ""),
      new Edit(
          "carillon/store/collection/DisabledMarkers.java",
          "still.equals(truth) ? Future.succeededFuture() : settle(key, looking, still)",
          "Future.succeededFuture()")),
  /** A change does not count the last occurrence while it is in flight. */
  UNCOUNTED_LAST(
      Rule.COUNT,
      Theme.CHANGES,
      """
      the slow target keeps its callers waiting
      PUT j0: every 5 s, count 1, at the slow target, starts at second 0
      clock +5 s
      all nodes poll
      until the target is called    -- for the last time
      PATCH j0: startTime in 4 s    -- without the bug, nothing is left to begin
      clock +5 s
      """,
      new Edit(
          "lua/schedule_next.lua",
          "'lastOccurrenceTaken', 1, 'occurrence', occurrence,",
          "'lastOccurrenceTaken', 1,"),
      new Edit(
          "carillon/job/Rescheduling.java",
          "counts && version.begun().isPresent() ? stored + 1 : stored",
          "stored")),
  /** A requested execution that is given up ends a one-time job. */
  REQUESTED_EXECUTION_ENDS_JOB(
      Rule.FINAL,
      Theme.NODES,
      """
      node b pauses                 -- j0 is node a's; node b may come first where it is asked
      the slow target keeps its callers waiting
      PUT j0: once at the slow target, starts at second 3600
      run j0
      all nodes poll
      until the target is called
      node b is well again
      node a is cut off from Redis
      clock +200 s, with heartbeats
      all nodes poll
      until the target is called    -- by node b
      node a is well again
      node b is cut off from Redis
      clock +200 s, with heartbeats
      all nodes poll
      until a finish is performed   -- given up, after two crashes
      """,
      new Edit(
          "carillon/timer/ClaimPlanner.java",
          "definition.recurrence().isPresent() || attempt.isRequested();",
          "definition.recurrence().isPresent();")),
  /** A change of many jobs takes effect for each job at the time of the client's request. */
  MOMENT_OF_THE_REQUEST(
      Rule.OWED,
      Theme.CHANGES,
      """
      PUT j0: every 2 s, starts at second 0
      node a pauses
      node b pauses
      disable all jobs, held at its read_job
      clock +3 s
      the held request goes on    -- second 2 is due and not begun
      """,
      new Edit(
          "carillon/store/job/JobStore.java",
          "Instant now = clock.instant();\n    StoredJob current",
          "Instant now = context.at();\n    StoredJob current")),
  /** Two claims of one run have one place, and only one of them returns it. */
  PLACE_OF_A_RUN(
      Rule.PLACES,
      Theme.QUEUES,
      """
      node b pauses
      the slow target keeps its callers waiting
      PUT j0: once at the slow target, starts at second 3600
      run j0
      run j0
      all nodes poll
      until the target is called
      until the target is called
      clock +1 s
      node a: its next defer comes late, after its connection was given up
      run j0
      all nodes poll
      until a defer is performed
      the slow target answers one
      the slow target answers one
      until a finish is performed
      until a finish is performed
      clock +2 s
      all nodes poll
      until the target is called
      node a: what is held goes on
      until a defer is performed
      clock +5 s                        -- the instant to which it was deferred
      all nodes poll
      """,
      BLIND_RELEASE.bug.edits().get(0),
      new Edit("carillon/timer/InFlight.java", "Map<Claim, Started>", "Map<String, Started>"),
      new Edit(
          "carillon/timer/InFlight.java",
          "performed.put(claim,",
          "performed.put(claim.attempt().member(),"),
      new Edit(
          "carillon/timer/InFlight.java",
          "performed.remove(from)).ifPresent(started -> performed.put(to,",
          "performed.remove(from.attempt().member())).ifPresent(started ->"
              + " performed.put(to.attempt().member(),"),
      new Edit(
          "carillon/timer/InFlight.java",
          "performed.remove(claim)",
          "performed.remove(claim.attempt().member())")),
  /**
   * A node paused during a heartbeat declares others dead because of heartbeats that it read
   * before.
   */
  OLD_HEARTBEATS(
      Rule.REPEATED,
      Theme.NODES,
      """
      the slow target keeps its callers waiting
      PUT j0: once at the slow target, starts at second 1
      clock +1 s
      all nodes poll
      until the target is called           -- by node a
      node b: its next HGETALL is held     -- it has read the heartbeats before
      clock +200 s, with heartbeats        -- of node a alone
      clock +200 s, with heartbeats
      node b: what is held goes on         -- with the bug, node a looks dead
      all nodes poll
      """,
      new Edit(
          "carillon/timer/Heartbeat.java",
          "long now = view.asOf();",
          "long now = clock.millis();")),
  /** Redis reports too many failures only once, so a lost answer loses the report. */
  TOO_MANY_IS_TOLD_ONCE(
      Rule.PAUSED,
      Theme.FAILURES,
      """
      node b pauses
      fail j0
      PUT j0: every 2 s, disabled after 2 failures, starts at second 0
      clock +2 s
      all nodes poll
      until a finish is performed
      node a: its next finish is performed, and its answer lost with its connection
      clock +2 s
      all nodes poll
      until a finish is performed    -- with the bug, its repeat is done, and no more
      until a finish is performed
      """,
      new Edit(
          "lua/finish.lua",
          "local streak = counts_failure and tonumber(redis.call('HGET', job, 'streak'))",
          "local streak")),
  /** A success does not reset the number of failures. */
  FAILURES_IN_ALL(
      Rule.PAUSED,
      Theme.FAILURES,
      """
      node b pauses
      fail j0
      PUT j0: every 2 s, disabled after 2 failures, starts at second 0
      clock +2 s
      all nodes poll
      until a finish is performed
      no job fails any more
      clock +2 s
      all nodes poll
      until a finish is performed
      fail j0
      clock +2 s
      all nodes poll
      until a finish is performed
      """,
      new Edit("lua/finish.lua", "if current and most_failures == 0 then", "if false then")),
  /** A node is asked to disable a job, and does not do it. */
  NEVER_DISABLED(
      Rule.PAUSED,
      Theme.FAILURES,
      """
      node b pauses
      fail j0
      PUT j0: every 2 s, disabled after 2 failures, starts at second 0
      clock +2 s
      all nodes poll
      until a finish is performed
      clock +2 s
      all nodes poll
      until a finish is performed
      """,
      new Edit("carillon/store/FailurePauser.java", "streak < limit ?", "streak <= limit ?"));

  private final Bug bug;

  /**
   * Creates a bug.
   *
   * @param steps the words of its walk
   */
  JobPlant(Rule rule, Theme theme, String steps, Edit... edits) {
    this.bug = Bug.of(rule, theme, steps, edits);
  }

  @Override
  public Bug bug() {
    return bug;
  }

  /** Two claims of one run need two places. */
  @Override
  public int places() {
    return this == PLACE_OF_A_RUN ? 2 : Plant.super.places();
  }

  @Override
  public Set<Rule> ignored() {
    return this == PLACE_OF_A_RUN ? Set.of(Rule.REPEATED) : Plant.super.ignored();
  }
}
