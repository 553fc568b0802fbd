package carillon.faults;

/**
 * A point at which a node is halted: a command between it and Redis.
 *
 * @param script whose run it is
 * @param performed true: Redis has performed it and the node has no answer; false: it has not
 *     reached Redis
 * @param halt what halts the node; called on a thread that may wait
 */
record Trip(String script, boolean performed, Runnable halt) {
  /** A claim that took nothing is answered with one item. */
  boolean isMet(String reply) {
    return !script.equals("claim") || !reply.startsWith("*1\r\n");
  }
}
