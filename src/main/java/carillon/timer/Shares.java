package carillon.timer;

import carillon.job.Destination;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Divides a node's places for calls among the destinations, so that a slow one cannot take them
 * all. A value that is told what happens and when: knows no clock, Redis or thread.
 *
 * <p>A destination has at most {@code most} calls in flight, and at most as many as there are free
 * places: one that never answers gets half of the places, two get a third each, and so on; some are
 * always left for others. What comes beyond that waits here as long as it is a matter of a moment,
 * which is: for a destination that has only just been called, or no more than it got done in such a
 * moment lately. The rest is put off until the destination can be expected to have a place, at the
 * pace at which it gets calls done; that is measured, so a guess that was too short is followed by
 * a better one.
 *
 * <p>All times in milliseconds.
 *
 * @param <W> what waits
 */
final class Shares<W> {
  /** What is over in this time delays nobody noticeably. */
  static final long MOMENT = 250;

  /** Nothing is put off for less: it would come back before anything has changed. */
  static final long SOONEST = 10;

  /** Nor for longer: the destination may have recovered. */
  static final long LATEST = 300_000;

  private final int places;
  private final int most;
  private final Map<Destination, Share> shares = new HashMap<>();
  private int inFlight;
  private int waiting;

  /** What is to be done with a call. */
  enum Verdict {
    /** Make it. */
    START,
    /** Nothing: it is kept here and will be given out. */
    WAIT,
    /** Put it off until {@link #turn}. */
    PUT_OFF
  }

  /** What is known of a destination while calls to it are in flight. */
  private final class Share {
    private final Deque<W> queue = new ArrayDeque<>();
    private final long busySince;
    private int calls;
    private long windowStart;
    private int done;
    private int doneBefore;
    private long lastDone;
    private double nextTurn;
    private boolean reported;

    Share(long now) {
      busySince = now;
      windowStart = now;
      lastDone = now;
    }

    private void roll(long now) {
      long windows = (now - windowStart) / MOMENT;
      if (windows > 0) {
        doneBefore = windows == 1 ? done : 0;
        done = 0;
        windowStart += windows * MOMENT;
      }
    }

    void finished(long now) {
      roll(now);
      calls--;
      done++;
      lastDone = now;
    }

    /** How many it got done in a moment lately. */
    int pace(long now) {
      roll(now);
      return Math.max(done, doneBefore);
    }

    boolean mayStart() {
      return calls < Math.min(most, places - inFlight);
    }

    boolean mayWait(long now) {
      boolean isNew = now - busySince < MOMENT;
      int free = places - inFlight - waiting;
      return queue.size() < pace(now) || (isNew && queue.size() < free);
    }

    /** Time from one call done to the next. */
    double spacing(long now) {
      int pace = pace(now);
      return pace > 0
          ? (double) MOMENT / pace
          : Math.max(MOMENT, now - lastDone) / (double) Math.max(1, calls);
    }
  }

  /**
   * Shares of a node.
   *
   * @param places calls in flight, at most
   * @param most of them to one destination
   */
  Shares(int places, int most) {
    this.places = places;
    this.most = most;
  }

  /** Decides about a call; one that is to be made counts until {@link #finished}. */
  Verdict offer(Destination destination, W work, long now) {
    Share share = shares.computeIfAbsent(destination, d -> new Share(now));
    if (share.calls == 0 || (share.queue.isEmpty() && share.mayStart())) {
      start(share);
      return Verdict.START;
    }
    if (share.mayWait(now)) {
      share.queue.add(work);
      waiting++;
      return Verdict.WAIT;
    }
    return Verdict.PUT_OFF;
  }

  private void start(Share share) {
    share.calls++;
    inFlight++;
  }

  /** A call is over; what has waited longest for its place is to be made now. */
  Optional<W> finished(Destination destination, long now) {
    Share share = shares.get(destination);
    share.finished(now);
    inFlight--;
    Optional<W> next = next(share);
    if (share.calls == 0) {
      shares.remove(destination);
    }
    return next;
  }

  private Optional<W> next(Share share) {
    if (share.queue.isEmpty() || !(share.calls == 0 || share.mayStart())) {
      return Optional.empty();
    }
    waiting--;
    start(share);
    return Optional.of(share.queue.remove());
  }

  /** When a call that is put off, to a destination with calls in flight, should come back. */
  long turn(Destination destination, long now) {
    Share share = shares.get(destination);
    share.nextTurn = Math.max(share.nextTurn, (double) now) + share.spacing(now);
    share.nextTurn = Math.min(share.nextTurn, (double) (now + LATEST));
    return Math.max(now + SOONEST, (long) share.nextTurn);
  }

  /** True once for each time that a destination is too slow for what it gets. */
  boolean isNews(Destination destination) {
    Share share = shares.get(destination);
    boolean news = !share.reported;
    share.reported = true;
    return news;
  }

  /** Removes what has waited longer than a moment should be, latest come first, to be put off. */
  List<W> overdue(long now) {
    List<W> overdue = new ArrayList<>();
    for (Share share : shares.values()) {
      boolean isNew = now - share.busySince < MOMENT;
      while (!isNew && share.queue.size() > share.pace(now)) {
        overdue.add(share.queue.removeLast());
        waiting--;
      }
    }
    return overdue;
  }

  /** Removes all that waits. */
  List<W> drain() {
    List<W> all = new ArrayList<>();
    for (Share share : shares.values()) {
      all.addAll(share.queue);
      share.queue.clear();
    }
    waiting = 0;
    return all;
  }

  /** How many wait. */
  int waiting() {
    return waiting;
  }
}
