package carillon.timer;

import java.util.function.LongSupplier;

/**
 * Room that this node has for calls of one flow, as far as is known: any, until a call finds no
 * place at its destination or in the node; from then on as much as calls of the flow end. Whether
 * there is more is seen after a while. All times in epoch milliseconds of the node's clock.
 */
final class FlowRoom {
  /** Room for whatever may begin. */
  static final int ANY = Integer.MAX_VALUE;

  /** Shortest time until more room is looked for, while calls end that make some. */
  private static final long MIN_DELAY = 250;

  private long fullUntil;
  private int calls = ANY;
  private int freed;

  /**
   * A call has found no place.
   *
   * @param inFlight calls of the flow
   * @param until when there may be one though none of them ends; asked only when that is not known
   */
  void full(long now, int inFlight, LongSupplier until) {
    if (now >= fullUntil) {
      fullUntil = Math.max(until.getAsLong(), inFlight == 0 ? now : now + MIN_DELAY);
    }
    calls = 0;
    freed = 0;
  }

  /** How many calls there is room for. */
  int at(long now) {
    if (now >= fullUntil) {
      calls = ANY;
    }
    return calls;
  }

  /** How many calls there was room for at the last look. */
  int known() {
    return calls;
  }

  /** When more room is looked for. */
  long fullUntil() {
    return fullUntil;
  }

  /** A call has begun. */
  void begun() {
    if (calls != ANY && calls > 0) {
      calls--;
    }
  }

  /** A call was not begun after all. */
  void notBegun() {
    if (calls != ANY) {
      calls++;
    }
  }

  /**
   * A call has ended. Its place counts as soon as a quarter of them is free, so that attempts are
   * claimed together and not one by one.
   *
   * @param inFlight calls of the flow that are left
   */
  void ended(int inFlight) {
    if (calls != ANY && ++freed * 4 >= inFlight) {
      calls += freed;
      freed = 0;
    }
  }

  /** More room is looked for at once. */
  void reset() {
    fullUntil = 0;
  }
}
