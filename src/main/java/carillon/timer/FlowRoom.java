package carillon.timer;

import java.util.function.LongSupplier;

/**
 * Room of this node for calls of one flow, as far as known. Unlimited until a call finds no place
 * at its destination or in the node. Then it grows only when calls of the flow end. After a delay
 * it is unlimited again, to find more room. All times are in epoch milliseconds of the node's
 * clock.
 */
final class FlowRoom {
  /** Value for unlimited room. */
  static final int ANY = Integer.MAX_VALUE;

  /**
   * Minimum delay, in ms, before the room is unlimited again while calls in flight can free places.
   */
  private static final long MIN_DELAY = 250;

  private long fullUntil;
  private int calls = ANY;
  private int freed;

  /**
   * Records that a call found no place.
   *
   * @param inFlight number of calls of the flow in flight
   * @param until when a place may be free even if no call ends; evaluated only if unknown
   */
  void full(long now, int inFlight, LongSupplier until) {
    if (now >= fullUntil) {
      fullUntil = Math.max(until.getAsLong(), inFlight == 0 ? now : now + MIN_DELAY);
    }
    calls = 0;
    freed = 0;
  }

  /** Number of calls that find room. */
  int at(long now) {
    if (now >= fullUntil) {
      calls = ANY;
    }
    return calls;
  }

  /** Number of calls that found room at the last check. */
  int known() {
    return calls;
  }

  /** Returns when the room is unlimited again. */
  long fullUntil() {
    return fullUntil;
  }

  /** Records the start of a call. */
  void begun() {
    if (calls != ANY && calls > 0) {
      calls--;
    }
  }

  /** Records that a call was not begun after all. */
  void notBegun() {
    if (calls != ANY) {
      calls++;
    }
  }

  /**
   * Records the end of a call. Free places count once they are a quarter of the calls, so that
   * attempts are claimed together and not one by one.
   *
   * @param inFlight number of remaining calls of the flow
   */
  void ended(int inFlight) {
    if (calls != ANY && ++freed * 4 >= inFlight) {
      calls += freed;
      freed = 0;
    }
  }

  /** Makes the room unlimited again. */
  void reset() {
    fullUntil = 0;
  }
}
