package carillon.life;

/** What must hold, whatever happens. */
enum Rule {
  /** Every instant owed was called, or has an entry in the history that says why not. */
  OWED,
  /** One nominal instant of a job has one execution id, for ever. */
  ONCE,
  /** An attempt is called again only when its node was lost while it was in flight. */
  REPEATED,
  /** No more executions than {@code count}; the counters are those of the history. */
  COUNT,
  /** Disabled marker and state of a collection agree; nothing of a disabled one is called. */
  DISABLED_MARKER,
  /** What is called was owed by the definition and the state that held when it was claimed. */
  LICENSED,
  /** Nothing is called that was claimed before its instant. */
  EARLY,
  /** Nothing is begun later after its instant than its job allows. */
  EXPIRED,
  /** Of the occurrences that were missed those are begun that the job asks for. */
  MISSED,
  /** Of the occurrences that were missed and are made up, one waits for the other. */
  PACED,
  /** Where executions of a job must not overlap, each is judged as its rule says. */
  OVERLAP,
  /** A job is disabled when, and only when, as many executions in a row failed as it says. */
  PAUSED,
  /** No more calls of a flow are made than it lets through, over all nodes. */
  FLOW,
  /** A breaker stops the calls of a target that fails, but for probes, and only as long. */
  BREAKER,
  /** A flow stands still until its destination may be called again, and no longer. */
  RETRY_AFTER,
  /** At rest nothing is claimed or open, and every place of a destination is free. */
  PLACES,
  /** A job ends when, and only when, its last occurrence has. */
  FINAL,
  /** At rest {@code fsck} finds nothing. */
  FSCK,
  /** The walk asks for what the API accepts. */
  VALID,
  /** What comes to rest at all. */
  REST
}
