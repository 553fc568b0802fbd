package carillon.life;

import carillon.life.EditedProduct.Edit;

/** Bugs of flows: of their limits, pauses and breakers. */
@SuppressWarnings("ImmutableEnumChecker") // lists that are copies
enum FlowPlant implements Plant {
  /** Each node may have as many calls in flight as the flow allows for all nodes together. */
  PARALLELISM_OF_A_REQUEST(
      Rule.FLOW,
      Theme.FLOWS,
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
  /** Calls continue although their flow is paused. */
  STOPPED_FLOW_GOES_ON(
      Rule.FLOW,
      Theme.FLOWS,
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
  /** Granted tokens stay in the bucket. */
  FULL_BUCKET(
      Rule.FLOW,
      Theme.FLOWS,
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
  /** An open breaker stops no call. */
  OPEN_BREAKER_LETS_THROUGH(
      Rule.BREAKER,
      Theme.BREAKERS,
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
  /** All waiting attempts are called as probes. */
  PROBE_BESIDE_ANOTHER(
      Rule.BREAKER,
      Theme.BREAKERS,
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
          "math.min(want, limit.probes - number('probing'))",
          "math.min(want, limit.probes)")),
  /** A breaker does not close after its probe succeeds. */
  PROBE_END_FORGOTTEN(
      Rule.BREAKER,
      Theme.BREAKERS,
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
  /** A breaker waits indefinitely for the probe of a dead node. */
  PROBE_OF_A_DEAD_NODE(
      Rule.BREAKER,
      Theme.BREAKERS,
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
          "if judges and number('probing') > number('recovered') and now >= number('probe_until') then",
          "if judges and number('probing') > number('recovered') and now >= number('probe_until') + 1e9 then")),
  /** A breaker stays half open until a probe that was never called is given up. */
  PROBE_TELLS_NOTHING(
      Rule.BREAKER,
      Theme.BREAKERS,
      """
      PUT j1: every 2 s, behind a breaker, retried once after 2 s, at the slow target, starts at second 0
      fail j1
      clock +2 s
      all nodes poll
      until a finish is performed
      the slow target keeps its callers waiting
      clock +2 s
      all nodes poll
      until the target is called
      PUT j0: every 2 s, behind a breaker, skipping what overlaps, retried once after 2 s, at the slow target, starts at second 0
      clock +2 s
      all nodes poll
      until the target is called
      the slow target answers one
      until a finish is performed
      disable j1
      clock +5 s
      all nodes poll    -- of j0 an occurrence waits that is skipped
      all nodes poll
      """,
      new Edit("carillon/timer/FlowBreaker.java", "outcomes = outcomes.plusNotBegun(1);", "")),
  /** A ratio of failures counts before there are as many calls as it requires. */
  SHARE_OF_FEW(
      Rule.BREAKER,
      Theme.BREAKERS,
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
  /** A ratio also counts calls of long ago. */
  WINDOW_WITHOUT_END(
      Rule.BREAKER,
      Theme.BREAKERS,
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
  /** Redis receives a {@code Retry-After} and does not stop the flow. */
  RETRY_AFTER_FORGOTTEN(
      Rule.RETRY_AFTER,
      Theme.BREAKERS,
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
  /** A node does not report the {@code Retry-After} of a destination. */
  RETRY_AFTER_KEPT(
      Rule.RETRY_AFTER,
      Theme.FLOWS,
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
  /** A breaker stays open although its flow is reset. */
  RESET_LEAVES_BREAKER(
      Rule.BREAKER,
      Theme.BREAKERS,
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
  /** A flow still stands still after its reset. */
  RESET_LEAVES_RETRY_AFTER(
      Rule.FLOW,
      Theme.BREAKERS,
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
      new Edit("lua/reset_flow.lua", "'recovered',\n  'retry_at'})", "'recovered'})")),
  /** A node reports a failed call only once, and Redis may not receive the report. */
  FAILURE_IS_TOLD_ONCE(
      Rule.BREAKER,
      Theme.BREAKERS,
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
  /** Redis counts a failure twice that is reported again because the answer was lost. */
  FAILURE_COUNTS_TWICE(
      Rule.BREAKER,
      Theme.BREAKERS,
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
          "slots + grant > 0"));

  private final Bug bug;

  /**
   * Creates a bug.
   *
   * @param steps the words of its walk
   */
  FlowPlant(Rule rule, Theme theme, String steps, Edit... edits) {
    this.bug = Bug.of(rule, theme, steps, edits);
  }

  @Override
  public Bug bug() {
    return bug;
  }
}
