package carillon.flow;

import carillon.job.action.Destination;

/**
 * Calls of a flow to one destination. Each lane has its own breaker, {@code Retry-After} and
 * waiting lists; all lanes share the rate and the parallelism of their flow.
 *
 * @param flow key of the flow
 * @param authority of the destination; empty for the shared lane
 */
public record FlowLane(String flow, String authority) {
  private static final char SEPARATOR = '@';

  /** The lane of one destination. */
  public static FlowLane of(Flow flow, Destination destination) {
    return new FlowLane(flow.name().key(), destination.authority());
  }

  /** The lane that destinations beyond the bound share. */
  public static FlowLane shared(Flow flow) {
    return new FlowLane(flow.name().key(), "");
  }

  /** Reads a {@link #key}. */
  public static FlowLane parse(String key) {
    int separator = key.indexOf(SEPARATOR);
    return separator < 0
        ? new FlowLane(key, "")
        : new FlowLane(key.substring(0, separator), key.substring(separator + 1));
  }

  /** Returns its name in Redis keys; no name of a flow has the separator. */
  public String key() {
    return flow + suffix();
  }

  /** End of the names of its fields in the state of the flow. */
  public String suffix() {
    return authority.isEmpty() ? "" : SEPARATOR + authority;
  }
}
