package carillon.life;

import carillon.life.EditedProduct.Edit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A bug that is planted to see that the walk finds it: some text of the product's sources is
 * replaced, see {@link EditedProduct}. Most were in the product once.
 */
@SuppressWarnings("ImmutableEnumChecker") // a list that is a copy
enum Plant {
  /** A release that Redis gets late or twice ends a later claim of the same attempt. */
  BLIND_RELEASE(
      Rule.REPEATED,
      Theme.QUEUES,
      1,
      """
      node b pauses                     -- j0 is node a's
      the slow target keeps its callers waiting
      PUT j0: once at the slow target, starts at second 3600
      run j0
      all nodes poll
      until the target is called        -- the only place is taken
      clock +1 s
      node a: its next release comes late, after its connection was given up
      run j0
      all nodes poll
      until a release is performed    -- the repeat, through another connection
      the slow target answers one
      until a finish is performed
      clock +2 s
      all nodes poll
      until the target is called        -- for what was released: a later claim of it
      node a: what is held goes on      -- with the bug, this claim is taken, too
      until a release is performed
      """,
      new Edit(
          "lua/release.lua",
          "  if checked_call('HDEL', claims, ARGV[i]) == 1 then",
          """
          local held = checked_call('HDEL', claims, ARGV[i])
          for _, other in ipairs(redis.call('HKEYS', claims)) do
            if held == 0 and unclaimed(other) == unclaimed(ARGV[i]) then held = redis.call('HDEL', claims, other) end
          end
          if held == 1 then\
          """)),
  /** A change goes by what it saw, though the job went on since. */
  CHANGE_WITHOUT_COMPARISON(
      Rule.ONCE,
      Theme.CHANGES,
      1,
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
          "if as_read ~= ARGV[14] then return 'MOVED' end",
          "if not ARGV[14] then return 'MOVED' end")),
  /** A change drops what was due and not begun, without an entry. */
  SILENT_CHANGE(
      Rule.OWED,
      Theme.CHANGES,
      1,
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
  /** The disabled marker is set by whoever comes last, and nobody looks again. */
  MARKER_OF_THE_LAST(
      Rule.DISABLED_MARKER,
      Theme.DISABLING,
      1,
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
          "still.equals(truth) ? Future.succeededFuture() : settle(name, still)",
          "Future.succeededFuture()")),
  /** The last occurrence, while it is under way, is not counted by a change. */
  UNCOUNTED_LAST(
      Rule.COUNT,
      Theme.CHANGES,
      1,
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
  /** An execution outside the schedule that is given up ends a one-time job. */
  REQUESTED_EXECUTION_ENDS_JOB(
      Rule.FINAL,
      Theme.NODES,
      1,
      """
      the slow target keeps its callers waiting
      PUT j0: once at the slow target, starts at second 3600
      run j0
      all nodes poll
      until the target is called
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
          "recurring || attempt.isRequested() ? Optional.empty()",
          "recurring ? Optional.empty()")),
  /** A change of many jobs happens for each when the client asked for it. */
  MOMENT_OF_THE_REQUEST(
      Rule.OWED,
      Theme.CHANGES,
      1,
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
  /** Two claims of one run have one place, and only one of them gives it back. */
  PLACE_OF_A_RUN(
      Rule.PLACES,
      Theme.QUEUES,
      1,
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
      node a: its next release comes late, after its connection was given up
      run j0
      all nodes poll
      until a release is performed
      the slow target answers one
      the slow target answers one
      until a finish is performed
      until a finish is performed
      clock +2 s
      all nodes poll
      until the target is called
      node a: what is held goes on
      until a release is performed
      all nodes poll
      """,
      new Edit(
          "lua/release.lua", BLIND_RELEASE.edits.get(0).from(), BLIND_RELEASE.edits.get(0).to()),
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
  /** A node that was paused in a heartbeat takes others for dead by what it read before. */
  OLD_HEARTBEATS(
      Rule.REPEATED,
      Theme.NODES,
      1,
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
  /** An occurrence is begun however late. */
  BEGUN_TOO_LATE(
      Rule.EXPIRED,
      Theme.NODES,
      1,
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
  /** What was missed is made up at once. */
  UNPACED(
      Rule.PACED,
      Theme.ALL,
      1,
      """
      PUT j0: every 2 s, all of 10 missed, starts at second 0
      clock +6 s
      all nodes poll
      """,
      new Edit(
          "carillon/timer/NextOccurrencePlanner.java",
          "now.plus(policy.missed().orElseThrow().pace())",
          "planned")),
  /** One more of the missed occurrences is made up than the job asks for. */
  ONE_TOO_MANY(
      Rule.MISSED,
      Theme.LATENESS,
      1,
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
  /** What is late is begun, though the job asks for nothing that was missed. */
  NONE_IS_LATEST(
      Rule.EXPIRED,
      Theme.LATENESS,
      1,
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
  /** What stands for itself, as its job was changed, is as late as the latest that was missed. */
  LATE_AS_ANOTHER(
      Rule.EXPIRED,
      Theme.LATENESS,
      1,
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
  /**
   * That there were too many failures is told once, and nobody hears it when that answer is lost.
   */
  TOO_MANY_IS_TOLD_ONCE(
      Rule.PAUSED,
      Theme.FAILURES,
      1,
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
          "local too_many = string.match(counters, 'streak=(%d+)')",
          "local too_many")),
  /** Failures are counted on over a success. */
  FAILURES_IN_ALL(
      Rule.PAUSED,
      Theme.FAILURES,
      1,
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
      new Edit(
          "lua/finish.lua",
          "if current and string.find(counters, '=0', 1, true) then",
          "if false then")),
  /** A node is told that a job is to be disabled, and does not do it. */
  NEVER_DISABLED(
      Rule.PAUSED,
      Theme.FAILURES,
      1,
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
      new Edit("carillon/store/FailurePauser.java", "streak < limit ?", "streak <= limit ?")),
  /** Each node has the calls of a flow in flight that all may have together. */
  PARALLELISM_OF_A_REQUEST(
      Rule.FLOW,
      Theme.FLOWS,
      1,
      """
      the slow target keeps its callers waiting
      PUT j0: once, at most two at once, at the slow target, starts at second 1
      PUT j1: once, at most two at once, at the slow target, starts at second 1
      PUT j2: once, at most two at once, at the slow target, starts at second 2
      clock +1 s
      all nodes poll
      until the target is called
      until the target is called
      clock +1 s
      all nodes poll    -- with the bug, j2 is called beside the others
      """,
      new Edit(
          "lua/flow_take.lua",
          "grant = math.min(grant, limit.parallelism - slots - others_slots, share - slots)",
          "grant = math.min(grant, limit.parallelism)")),
  /** Calls go on though their flow is stopped. */
  STOPPED_FLOW_GOES_ON(
      Rule.FLOW,
      Theme.FLOWS,
      1,
      """
      PUT j0: once, at most two at once, at the slow target, starts at second 1
      the flows are stopped
      clock +1 s
      all nodes poll
      """,
      new Edit(
          "carillon/flow/Flow.java",
          "public boolean isPaused(Instant now) {",
          "public boolean isPaused(Instant now) {\n    if (revision > 0) return false;")),
  /** Tokens that are granted stay in the bucket. */
  FULL_BUCKET(
      Rule.FLOW,
      Theme.FLOWS,
      1,
      """
      PUT j0: every 2 s, at most two in 10 s, starts at second 0
      PUT j1: every 2 s, at most two in 10 s, starts at second 0
      PUT j2: every 2 s, at most two in 10 s, starts at second 0
      clock +2 s
      all nodes poll
      clock +2 s
      all nodes poll
      """,
      new Edit(
          "lua/flow_take.lua",
          "set('tokens', math.max(0, tokens - grant))",
          "set('tokens', math.max(0, tokens))")),
  /** A breaker that is open stops no call. */
  OPEN_BREAKER_LETS_THROUGH(
      Rule.BREAKER,
      Theme.BREAKERS,
      1,
      """
      PUT j0: every 2 s, behind a breaker, starts at second 0
      PUT j1: every 2 s, behind a breaker, starts at second 0
      fail j0
      fail j1
      clock +2 s
      all nodes poll
      until a finish is performed
      until a finish is performed
      all nodes poll
      clock +2 s
      all nodes poll    -- with the bug, both are called
      """,
      new Edit(
          "lua/flow_take.lua",
          "breaker == 'open' and number('until') or 0)",
          "limit.paused or 0)")),
  /** As many probes go as wait. */
  PROBE_BESIDE_ANOTHER(
      Rule.BREAKER,
      Theme.BREAKERS,
      1,
      """
      PUT j0: every 2 s, behind a breaker, retried once after 2 s, at the slow target, starts at second 0
      PUT j1: every 2 s, behind a breaker, retried once after 2 s, at the slow target, starts at second 0
      PUT j2: every 2 s, behind a breaker, retried once after 2 s, at the slow target, starts at second 0
      fail j0
      fail j1
      fail j2
      clock +2 s
      all nodes poll
      until a finish is performed
      until a finish is performed
      all nodes poll
      the slow target keeps its callers waiting
      clock +5 s
      all nodes poll    -- with the bug, each node has a probe
      all nodes poll
      """,
      new Edit(
          "lua/flow_take.lua",
          "grant = math.min(grant, limit.probes - number('probing'))",
          "grant = math.min(grant, limit.probes)")),
  /** A breaker does not close when its probe succeeds. */
  PROBE_END_FORGOTTEN(
      Rule.BREAKER,
      Theme.BREAKERS,
      1,
      """
      PUT j0: every 2 s, behind a breaker, starts at second 0
      PUT j1: every 2 s, behind a breaker, starts at second 0
      PUT j2: every 2 s, behind a breaker, starts at second 0
      fail j0
      fail j1
      fail j2
      clock +2 s
      all nodes poll
      until a finish is performed
      until a finish is performed
      all nodes poll
      clock +2 s
      all nodes poll
      """,
      new Edit(
          "lua/flow_take.lua",
          "elseif number('recovered') >= limit.probes then",
          "elseif number('recovered') > limit.probes then")),
  /** The probe of a node that died is waited for without end. */
  PROBE_OF_A_DEAD_NODE(
      Rule.BREAKER,
      Theme.BREAKERS,
      1,
      """
      node b pauses    -- j0 is node a's
      PUT j0: every 2 s, behind a breaker, retried once after 2 s, at the slow target, starts at second 0
      fail j0
      clock +2 s
      all nodes poll
      until a finish is performed
      clock +3 s
      all nodes poll
      until a finish is performed
      all nodes poll
      the slow target keeps its callers waiting
      clock +6 s
      all nodes poll
      all nodes poll
      node a dies      -- with its probe in flight
      node b is well again
      """,
      new Edit(
          "lua/flow_take.lua",
          "if number('probing') > 0 and now >= number('probe_until') then",
          "if number('probing') > 0 and now >= number('probe_until') + 1e9 then")),
  /** A breaker stays half open until a probe is given up that was never called. */
  PROBE_TELLS_NOTHING(
      Rule.BREAKER,
      Theme.BREAKERS,
      1,
      """
      the slow target keeps its callers waiting
      PUT j0: every 2 s, behind a breaker, skipping what overlaps, retried once after 2 s, at the slow target, starts at second 0
      PUT j1: every 2 s, behind a breaker, starts at second 1
      fail j1
      clock +2 s
      all nodes poll
      until the target is called
      until the target is called
      until a finish is performed
      clock +1 s
      all nodes poll
      until a finish is performed
      disable j1
      clock +5 s
      all nodes poll    -- of j0 an occurrence waits that is skipped
      all nodes poll
      """,
      new Edit("carillon/timer/FlowGate.java", "outcomes = outcomes.plusNotBegun(1);", "")),
  /** A share of failures counts before there are as many calls as it is to be of. */
  SHARE_OF_FEW(
      Rule.BREAKER,
      Theme.BREAKERS,
      1,
      """
      the breaker opens when half of 3 calls fail in 6 s
      PUT j0: every 2 s, behind a breaker, starts at second 0
      clock +2 s
      all nodes poll
      until a finish is performed
      fail j0
      clock +2 s
      all nodes poll    -- with the bug, two calls are enough
      until a finish is performed
      """,
      new Edit(
          "lua/flow_take.lua",
          "limit.ratio and number('calls') >= limit.calls and",
          "limit.ratio and number('calls') >= limit.calls - 1 and")),
  /** Of a share, calls of long ago count. */
  WINDOW_WITHOUT_END(
      Rule.BREAKER,
      Theme.BREAKERS,
      1,
      """
      the breaker opens when half of 3 calls fail in 6 s
      fail j0
      PUT j0: every 2 s, behind a breaker, starts at second 0
      clock +2 s
      all nodes poll
      until a finish is performed
      no job fails any more
      PATCH j0: state disabled
      clock +6 s
      PATCH j0: state enabled
      clock +2 s
      all nodes poll
      until a finish is performed
      fail j0
      clock +2 s
      all nodes poll    -- with the bug, this is the third
      until a finish is performed
      """,
      new Edit(
          "lua/flow_take.lua",
          "if now >= number('window') + limit.window then",
          "if number('window') == 0 then")),
  /** Redis is told of a {@code Retry-After} and lets the flow go on. */
  RETRY_AFTER_FORGOTTEN(
      Rule.RETRY_AFTER,
      Theme.BREAKERS,
      1,
      """
      j0 is answered 503, to come back in 6 s
      PUT j0: every 2 s, behind a breaker, starts at second 0
      clock +2 s
      all nodes poll
      until a finish is performed
      all nodes poll
      clock +2 s
      all nodes poll    -- with the bug, it is called again
      """,
      new Edit(
          "lua/flow_take.lua",
          "elseif retry_at then set('retry_at', math.max(number('retry_at'), retry_at)) end",
          "end")),
  /** A node tells nobody that the destination asks not to be called. */
  RETRY_AFTER_KEPT(
      Rule.RETRY_AFTER,
      Theme.FLOWS,
      1,
      """
      j0 is answered 429, to come back in 6 s, as a date
      PUT j0: every 2 s, at most two in 10 s, starts at second 0
      clock +2 s
      all nodes poll
      until a finish is performed
      all nodes poll
      all nodes poll
      """,
      new Edit(
          "carillon/dispatch/DispatcherVerticle.java",
          "planner.retryAfter(made.result())",
          "Optional.empty()")),
  /** A breaker stays open though its flow is reset. */
  RESET_LEAVES_BREAKER(
      Rule.BREAKER,
      Theme.BREAKERS,
      1,
      """
      fail j0
      PUT j0: every 2 s, behind a breaker, starts at second 0
      clock +2 s
      all nodes poll
      until a finish is performed
      clock +2 s
      all nodes poll
      until a finish is performed
      all nodes poll
      the flows are reset
      clock +2 s
      all nodes poll
      """,
      new Edit("lua/reset_flow.lua", "'breaker', 'until',", "'until',")),
  /** A flow that is reset still stands still. */
  RESET_LEAVES_RETRY_AFTER(
      Rule.FLOW,
      Theme.BREAKERS,
      1,
      """
      j0 is answered 429, to come back in 6 s
      PUT j0: every 2 s, behind a breaker, starts at second 0
      clock +2 s
      all nodes poll
      until a finish is performed
      all nodes poll
      the flows are reset
      clock +2 s
      all nodes poll
      """,
      new Edit("lua/reset_flow.lua", "'recovered',\n  'retry_at')", "'recovered')")),
  /** That a call failed is told once, and Redis may not hear it. */
  FAILURE_IS_TOLD_ONCE(
      Rule.BREAKER,
      Theme.BREAKERS,
      1,
      """
      node b pauses
      the slow target keeps its callers waiting
      fail j0
      PUT j0: every 2 s, behind a breaker, retried once after 2 s, at the slow target, starts at second 0
      clock +2 s
      all nodes poll
      until the target is called
      node a: its next flow_take is lost before Redis has it, with its connection
      the slow target answers one
      until a finish is performed
      all nodes poll
      all nodes poll
      """,
      new Edit("carillon/store/resource/FlowLimiter.java", "isTold(request)\n", "false\n")),
  /** What is told again, as the answer was lost, is counted again. */
  FAILURE_COUNTS_TWICE(
      Rule.BREAKER,
      Theme.BREAKERS,
      1,
      """
      node b pauses
      the slow target keeps its callers waiting
      fail j0
      PUT j0: every 2 s, behind a breaker, retried once after 2 s, at the slow target, starts at second 0
      clock +2 s
      all nodes poll
      until the target is called
      node a: its next flow_take is performed, and its answer lost with its connection
      the slow target answers one
      until a finish is performed
      all nodes poll    -- with the bug, one failure is two in a row
      """,
      new Edit(
          "lua/flow_take.lua",
          "slots + grant + unused + handed_on > 0 or outcomes ~= ''",
          "slots + grant > 0")),
  /** What waits for the end of another execution goes when the job is disabled. */
  BUFFERED_LOST(
      Rule.OWED,
      Theme.OVERLAP,
      1,
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
          "checked_call('ZREM', buffered_of(job), state)")),
  /** What was not to be begun beside another execution is, when another node takes it over. */
  SKIPPED_AND_TAKEN_OVER(
      Rule.OVERLAP,
      Theme.OVERLAP,
      1,
      """
      node b pauses
      the slow target keeps its callers waiting
      PUT j0: every 2 s, skipping what overlaps, at the slow target, starts at second 0
      clock +2 s
      all nodes poll
      until the target is called
      clock +2 s
      node a: its next finish is held    -- that of second 4, which is skipped
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
  /** An execution that ends as its job was changed stays under way for ever. */
  EXECUTION_LEFT(
      Rule.OVERLAP,
      Theme.OVERLAP,
      1,
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
          "return end(claim, Optional.empty(), now, reason, text, Optional.empty(), true);",
          "return end(claim, Optional.empty(), now, reason, text, Optional.empty(), false);")),
  /** An execution that was requested at the very instant of an occurrence is taken for that. */
  RUN_AT_THE_INSTANT(
      Rule.OVERLAP,
      Theme.OVERLAP,
      1,
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

  private final Rule rule;
  private final Theme theme;
  private final long seed;
  private final List<Step> steps;
  private final List<Edit> edits;

  /**
   * A bug.
   *
   * @param rule that it breaks
   * @param theme of random walks that find it
   * @param seed of the first of those
   * @param steps the words of a walk that finds it each time
   * @param edits what makes the bug
   */
  Plant(Rule rule, Theme theme, long seed, String steps, Edit... edits) {
    this.rule = rule;
    this.theme = theme;
    this.seed = seed;
    this.steps = steps.lines().map(Step::of).toList();
    this.edits = List.of(edits);
  }

  /** The rule that it breaks. */
  Rule rule() {
    return rule;
  }

  /** The walk that finds it each time, and nothing where it is not planted. */
  Walk directed() {
    return new Walk(theme, seed, steps);
  }

  /** Looks for it by random walks of so many steps in all; what was found. */
  Optional<String> search(long most) {
    try (Walker walker = new Walker(() -> new World(places(), ignored()))) {
      return walker.walk(theme, seed, most);
    }
  }

  /** Of each destination, on each node: two claims of one run need two. */
  int places() {
    return this == PLACE_OF_A_RUN ? 2 : theme.places();
  }

  /** Rules that it breaks before its own. */
  Set<Rule> ignored() {
    return this == PLACE_OF_A_RUN ? Set.of(Rule.REPEATED) : Set.of();
  }

  /**
   * Runs {@link WalkProgram} in a process that has the bug; what it says.
   *
   * @param arguments beside the name of this
   */
  String find(Path dir, String... arguments) throws IOException, InterruptedException {
    return new EditedProduct(dir, edits).run(name(), arguments);
  }
}
