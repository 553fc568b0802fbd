package carillon.faults;

/**
 * Point at which a node is halted: a command between it and Redis.
 *
 * @param script name of the script that the command runs
 * @param performed true: Redis has performed the command and the node has no answer; false: the
 *     command has not reached Redis
 * @param halt halts the node; called on a thread that may block
 */
record Trip(String script, boolean performed, Runnable halt) {
  /** Whether the point is reached. An empty claim, whose reply has one item, does not count. */
  boolean isMet(String reply) {
    return !script.equals("claim_due") || !reply.startsWith("*1\r\n");
  }
}
