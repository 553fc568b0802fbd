package carillon.timer;

import carillon.bounded.LruMap;
import carillon.job.action.Destination;
import carillon.timer.Admission.AdmissionStep;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Divides a node's places for calls among the destinations, so that slow ones cannot take all of
 * them. Pure state: uses no clock, Redis or threads.
 *
 * <p>A destination has at most {@code maxCalls} calls in flight, and at most as many as there are
 * free places. A destination that never answers gets half of the places, two get a third each, and
 * so on. Some places always remain for others. Further calls wait here only if the wait is short:
 * calls to a destination in its first window, and as many as it completed in the last {@linkplain
 * CompletionRate#WINDOW window}. All others are deferred until the destination probably has a
 * place, according to its {@link CompletionRate}.
 *
 * <p>Many destinations that never answer could take all places with one call each. Therefore a
 * quarter of the places is reserved for quick destinations. A destination is quick if its last call
 * was done within {@code patience} and no call has been out for longer since. Slow destinations
 * share half of the places. New destinations share a quarter, where they can prove themselves.
 *
 * <p>All times are in milliseconds of the {@link ServingTime}.
 *
 * @param <W> a waiting call
 */
final class DestinationBulkhead<W> {
  /** Interval at which {@link #overdue} must be called, in ms. */
  static final long CHECK_INTERVAL = CompletionRate.WINDOW;

  /** Maximum number of destinations whose speed is remembered. */
  private static final int MAX_REMEMBERED = 10_000;

  /** Maximum delay of a call to a new destination without a free place. */
  private static final long MAX_DELAY_OF_NEW = 1000;

  /** Maximum delay of a call to a slow destination, which may have recovered. */
  private static final long MAX_DELAY_OF_SLOW = 15_000;

  /** Minimum time between two reports that a destination is too slow. */
  private static final long REPORT_PAUSE = 60_000;

  /** Maximum time between two places that a quick destination frees. */
  private static final long MAX_QUICK_SPACING = 4;

  /** Number of steps in which the waiting calls of a window are refilled. */
  private static final int REFILLS = 8;

  /**
   * Time ahead, in ms, within which a claim may defer calls, however short the overload. They are
   * claimed earlier when there is room for them. A call that returns without finding a place costs
   * work, and deferred calls block no others.
   */
  private static final long CLAIMED_AHEAD = 10_000;

  /** Minimum delay of such calls, in ms. Each that returns without success has its cost. */
  private static final long CLAIMED_AFTER = CLAIMED_AHEAD / 2;

  /** Approximate number of calls that the mean call time covers. */
  private static final double MEMORY = 8;

  private final int places;
  private final int maxCalls;
  private final long patience;
  private final Map<Destination, Share> shares = new HashMap<>();
  private final Map<Destination, Speed> speeds = new LruMap<>(MAX_REMEMBERED);

  /** When the overload of each destination was last reported. */
  private final Map<Destination, Long> reported = new LruMap<>(MAX_REMEMBERED);

  private int waiting;

  /** Calls in flight to destinations of each speed. */
  private final Map<Speed, Integer> calls = new EnumMap<>(Speed.class);

  private CompletionRate doubtfulRate = new CompletionRate(0);
  private boolean doubtfulReported;

  /** Speed of a destination, as far as known. */
  private enum Speed {
    NEW,
    QUICK,
    SLOW
  }

  /** Calls to one destination, in flight and waiting. */
  private final class Share {
    private final Destination destination;
    private final Deque<W> queue = new ArrayDeque<>();
    private final CompletionRate rate;
    private Speed speed;
    private int calls;
    private double meanTime = Double.NaN;
    private boolean crowded;

    Share(Destination destination, long now) {
      this.destination = destination;
      this.speed = speeds.getOrDefault(destination, Speed.NEW);
      this.rate = new CompletionRate(now, speed == Speed.SLOW ? now - patience : now);
    }

    boolean mayStart() {
      return calls < Math.min(maxCalls, free());
    }

    /** Number of places that are now free for this destination. */
    private int free() {
      return Math.min(places - inFlight(), freePlaces(speed));
    }

    /** Whether a place becomes free every few ms when all of them are in use. */
    boolean isQuick(long now) {
      return rate.perWindow(now) > 0 && meanTime <= MAX_QUICK_SPACING * maxCalls;
    }

    /** Number of calls that may still start. Each of them also reduces the free places. */
    int startable() {
      return queue.isEmpty()
          ? Math.max(0, Math.min(maxCalls - calls, (free() - calls + 1) / 2))
          : 0;
    }

    boolean mayWait(long now) {
      return roomToWait(now) > 0;
    }

    /** Number of calls that may still wait here. In the first window, one per free place. */
    private int roomToWait(long now) {
      int room = rate.isNew(now) ? free() - waiting : 0;
      return Math.max(room, rate.perWindow(now)) - queue.size();
    }

    /** Number of calls that would start immediately or wait here. */
    int room(long now) {
      return startable() + Math.max(0, roomToWait(now));
    }

    void start(long now) {
      if (speed != Speed.QUICK && doubtful() == 0) {
        doubtfulRate = new CompletionRate(now);
      }
      calls++;
      count(speed, 1);
    }

    void end(long since, long now) {
      double time = now - since;
      meanTime = Double.isNaN(meanTime) ? time : meanTime + (time - meanTime) / MEMORY;
      boolean wasQuick = now - since < patience;
      if (speed != Speed.QUICK) {
        doubtfulRate.done(now);
      }
      calls--;
      count(speed, -1);
      rate.done(now);
      judge(wasQuick ? Speed.QUICK : Speed.SLOW);
    }

    /** Evaluates the last window. */
    void tidy(long now) {
      if (speed != Speed.SLOW && rate.sinceLastDone(now) >= patience) {
        judge(Speed.SLOW);
      }
      if (!crowded && mayStart() && speed != Speed.SLOW) {
        rate.noteKeptUp(now);
      }
      crowded = !queue.isEmpty();
    }

    void judge(Speed now) {
      speeds.put(destination, now);
      count(speed, -calls);
      count(now, calls);
      speed = now;
    }
  }

  /**
   * Creates a bulkhead with all places free.
   *
   * @param places maximum number of calls in flight
   * @param maxCalls maximum number of calls in flight to one destination
   * @param patience maximum duration of a call of a quick destination
   */
  DestinationBulkhead(int places, int maxCalls, long patience) {
    this.places = places;
    this.maxCalls = maxCalls;
    this.patience = patience;
  }

  private void count(Speed speed, int delta) {
    calls.merge(speed, delta, Integer::sum);
  }

  private int calls(Speed speed) {
    return calls.getOrDefault(speed, 0);
  }

  /** Calls in flight to all destinations. */
  private int inFlight() {
    return doubtful() + calls(Speed.QUICK);
  }

  /** Calls in flight to destinations that are not known to be quick. */
  private int doubtful() {
    return calls(Speed.NEW) + calls(Speed.SLOW);
  }

  /** Number of calls that may still start, to all destinations of a speed. */
  private int freePlaces(Speed speed) {
    int quarter = places / 4;
    int doubtful = places - quarter - doubtful();
    return switch (speed) {
      case QUICK -> places - inFlight();
      case SLOW -> Math.min(doubtful, Math.max(1, places / 2) - calls(Speed.SLOW));
      case NEW -> Math.min(doubtful, Math.max(1, quarter) - calls(Speed.NEW));
    };
  }

  /**
   * Decides about a call: start, keep here or defer. A started call counts until {@link #finished}.
   */
  AdmissionStep admit(Destination destination, W work, long now) {
    if (tryStart(destination, now)) {
      return AdmissionStep.START;
    }
    Share share = shares.get(destination);
    if (share != null && share.mayWait(now)) {
      share.queue.add(work);
      waiting++;
      return AdmissionStep.KEEP;
    }
    return AdmissionStep.DEFER;
  }

  /**
   * Starts a call if a place is free. Otherwise neither keeps nor defers it. A started call counts
   * until {@link #finished}.
   */
  boolean tryStart(Destination destination, long now) {
    Share share = shares.get(destination);
    if (share == null) {
      share = new Share(destination, now);
      if (share.speed != Speed.QUICK && !share.mayStart()) {
        return false;
      }
      shares.put(destination, share);
    } else if (!share.queue.isEmpty() || !share.mayStart()) {
      share.crowded = true;
      return false;
    }
    share.start(now);
    return true;
  }

  /** Number of calls to a destination that can start now, see {@link #tryStart}. */
  int places(Destination destination) {
    Share share = shares.get(destination);
    if (share != null) {
      return share.startable();
    }
    Speed speed = speeds.getOrDefault(destination, Speed.NEW);
    int free = Math.min(places - inFlight(), freePlaces(speed));
    return Math.max(speed == Speed.QUICK ? 1 : 0, Math.min(maxCalls, (free + 1) / 2));
  }

  /** Whether places of a destination become free so fast that calls can wait for them. */
  boolean isQuick(Destination destination, long now) {
    Share share = shares.get(destination);
    return share != null && share.isQuick(now);
  }

  /**
   * Ends a call and returns the call that has waited longest for its place, to be made now.
   *
   * @param since when it was started
   */
  Optional<W> finished(Destination destination, long since, long now) {
    Share share = shares.get(destination);
    share.end(since, now);
    doubtfulReported &= doubtful() > places / 2;
    Optional<W> next = next(share, now);
    if (share.calls == 0) {
      shares.remove(destination);
    }
    return next;
  }

  private Optional<W> next(Share share, long now) {
    if (share.queue.isEmpty() || !(share.calls == 0 || share.mayStart())) {
      return Optional.empty();
    }
    waiting--;
    share.start(now);
    return Optional.of(share.queue.remove());
  }

  /** Returns when a deferred call should return. */
  long retryAt(Destination destination, long now) {
    Share share = shares.get(destination);
    if (share != null) {
      return share.rate.retryAt(now, share.calls);
    }
    boolean slow = speeds.get(destination) == Speed.SLOW;
    return Math.min(
        doubtfulRate.retryAt(now, doubtful()), now + (slow ? MAX_DELAY_OF_SLOW : MAX_DELAY_OF_NEW));
  }

  /**
   * Returns when a deferred call returns automatically that is claimed before, as soon as there is
   * {@link #room}.
   */
  long returnAt(Destination destination, long now) {
    Share share = shares.get(destination);
    if (share == null) {
      return retryAt(destination, now);
    }
    share.rate.noteRetries(now, share.calls, CLAIMED_AFTER, CLAIMED_AHEAD, 1);
    return (long) share.rate.retries(now, share.calls, CLAIMED_AFTER, CLAIMED_AHEAD).at();
  }

  /** Number of calls to a destination that find a place, or may wait for one here. */
  int room(Destination destination, long now) {
    Share share = shares.get(destination);
    return share == null ? places(destination) : share.room(now);
  }

  /** Whether its {@link #room} is worth the cost of a claim for it alone. */
  boolean isRoomy(Destination destination, long now, int room) {
    Share share = shares.get(destination);
    return room > 0 && (share == null || room >= share.rate.perWindow(now) / REFILLS);
  }

  /**
   * Returns the instants at which calls return automatically that the next claim defers, because
   * they find no {@link #room}. They are claimed earlier if they find room.
   */
  CompletionRate.Retries retries(Destination destination, long now) {
    Share share = shares.get(destination);
    return share == null
        ? new CompletionRate(now).retries(now, 1, CLAIMED_AFTER, CLAIMED_AHEAD)
        : share.rate.retries(now, share.calls, CLAIMED_AFTER, CLAIMED_AHEAD);
  }

  /** Records that a claim has deferred this number of calls to a destination. */
  void deferred(Destination destination, int count, long now) {
    Share share = shares.get(destination);
    if (share != null) {
      share.crowded = true;
      share.rate.noteRetries(now, share.calls, CLAIMED_AFTER, CLAIMED_AHEAD, count);
    }
  }

  /** Whether calls to it are in flight. If not, other destinations cause the deferral. */
  boolean isCalled(Destination destination) {
    return shares.containsKey(destination);
  }

  /**
   * Whether to report an overload. A destination that is too slow for its calls is reported at most
   * once a minute. An overload by too many destinations is reported once each time.
   */
  boolean isNews(Destination destination, long now) {
    if (isCalled(destination)) {
      Long last = reported.get(destination);
      boolean isNews = last == null || now - last >= REPORT_PAUSE;
      if (isNews) {
        reported.put(destination, now);
      }
      return isNews;
    }
    boolean isNews = !doubtfulReported;
    doubtfulReported = true;
    return isNews;
  }

  /**
   * Removes the waiting calls beyond those that a window completes, newest first, to be deferred.
   * Also marks silent destinations as slow. Must be called once per {@link #CHECK_INTERVAL}.
   */
  List<W> overdue(long now) {
    List<W> overdue = new ArrayList<>();
    for (Share share : shares.values()) {
      share.tidy(now);
      while (!share.rate.isNew(now) && share.queue.size() > share.rate.perWindow(now)) {
        overdue.add(share.queue.removeLast());
        waiting--;
      }
    }
    return overdue;
  }

  /** Removes the waiting calls that match. */
  List<W> withdraw(Predicate<W> filter) {
    List<W> withdrawn = new ArrayList<>();
    for (Share share : shares.values()) {
      share.queue.removeIf(work -> filter.test(work) && withdrawn.add(work));
    }
    waiting -= withdrawn.size();
    return withdrawn;
  }

  /** Number of waiting calls. */
  int waiting() {
    return waiting;
  }
}
