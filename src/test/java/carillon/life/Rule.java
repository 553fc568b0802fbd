package carillon.life;

/** Rules that must hold in every walk. */
enum Rule {
  /** Every instant owed was called, or has a history entry with the reason. */
  OWED,
  /** Each nominal instant of a job keeps a single execution id. */
  ONCE,
  /** An attempt is called again only if its node was lost while the attempt was in flight. */
  REPEATED,
  /** No more executions than {@code count}; the counters are those of the history. */
  COUNT,
  /** Disabled marker and state of a collection agree. No job of a disabled collection is called. */
  DISABLED_MARKER,
  /** Each call was owed by the definition and the state at the time of its claim. */
  LICENSED,
  /** No occurrence that was claimed before its instant is called. */
  EARLY,
  /** No occurrence is begun later than its job allows. */
  EXPIRED,
  /** Exactly the missed occurrences that the job asks for are begun. */
  MISSED,
  /** Missed occurrences are made up one after the other. */
  PACED,
  /** Each execution of a job that must not overlap is judged by the rule of the job. */
  OVERLAP,
  /** A job is disabled exactly when its limit of failed executions in a row is reached. */
  PAUSED,
  /** All nodes together make no more calls of a flow than it allows. */
  FLOW,
  /** A breaker stops all calls except probes, while its target fails and no longer. */
  BREAKER,
  /** A flow stands still until its destination may be called again, and no longer. */
  RETRY_AFTER,
  /** At rest no claim or execution is open, and every place of a destination is free. */
  PLACES,
  /** A job ends exactly when its last occurrence has ended. */
  FINAL,
  /** At rest {@code fsck} finds nothing. */
  FSCK,
  /** The API accepts the requests of the walk. */
  VALID,
  /** The system comes to rest. */
  REST
}
