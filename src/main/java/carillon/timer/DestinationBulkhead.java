package carillon.timer;

import carillon.bounded.LruMap;
import carillon.job.Destination;
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
 * Bulkhead that divides a node's places for calls among the destinations, so that slow ones cannot
 * take them all. A value that is told what happens and when: knows no clock, Redis or thread.
 *
 * <p>A destination has at most {@code maxCalls} calls in flight, and at most as many as there are
 * free places: one that never answers gets half of the places, two get a third each, and so on;
 * some are always left for others. What comes beyond that waits here where it will not wait for
 * long: calls of a destination that has only just been called, and as many as it got done in the
 * last {@linkplain CompletionRate#WINDOW window}. The rest is put off until the destination can be
 * expected to have a place, at its {@link CompletionRate}.
 *
 * <p>Many destinations that never answer would take all places with a call each. So a quarter of
 * the places is for destinations that are known to be quick, because their last call was done
 * within {@code patience} and since then none has been out for longer. Those that are known to be
 * slow have half of the places together, and those that are new have a quarter, where they can
 * prove themselves.
 *
 * <p>All times in milliseconds of the {@link ServingTime}.
 *
 * @param <W> what waits
 */
final class DestinationBulkhead<W> {
  /** Interval at which {@link #overdue} is to be asked, in ms. */
  static final long CHECK_INTERVAL = CompletionRate.WINDOW;

  /** Most destinations whose speed is remembered. */
  private static final int MAX_REMEMBERED = 10_000;

  /** Longest delay of a call to a new destination that finds no place. */
  private static final long MAX_DELAY_OF_NEW = 1000;

  /** Longest delay of a call to a slow destination, which may have recovered. */
  private static final long MAX_DELAY_OF_SLOW = 15_000;

  /** Time from one report that a destination is too slow to the next. */
  private static final long REPORT_PAUSE = 60_000;

  /** Longest time between two places that become free of a quick destination. */
  private static final long MAX_QUICK_SPACING = 4;

  /** What waits here is filled up in so many steps, while it would be used up. */
  private static final int REFILLS = 8;

  /**
   * So far ahead, in ms, calls are put off that are claimed as soon as there is room for them: each
   * that comes back in vain has its price, and until then they stand in nobody's way.
   */
  private static final long CLAIMED_AHEAD = 10_000;

  /** Of so many calls the mean time is, about. */
  private static final double MEMORY = 8;

  private final int places;
  private final int maxCalls;
  private final long patience;
  private final Map<Destination, Share> shares = new HashMap<>();
  private final Map<Destination, Speed> speeds = new LruMap<>(MAX_REMEMBERED);

  /** When the overload of a destination was reported last. */
  private final Map<Destination, Long> reported = new LruMap<>(MAX_REMEMBERED);

  private int waiting;

  /** Calls in flight to destinations of each speed. */
  private final Map<Speed, Integer> calls = new EnumMap<>(Speed.class);

  private CompletionRate doubtfulRate = new CompletionRate(0);
  private boolean doubtfulReported;

  /** How fast a destination is, as far as is known. */
  private enum Speed {
    NEW,
    QUICK,
    SLOW
  }

  /** What is to be done with a call. */
  enum Verdict {
    /** Make it. */
    START,
    /** Nothing: it is kept here and will be given out. */
    WAIT,
    /** Put it off until {@link #retryAt}. */
    PUT_OFF
  }

  /** The calls to one destination, in flight and waiting. */
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

    /** How many more places there are for it, as things stand. */
    private int free() {
      return Math.min(places - inFlight(), freePlaces(speed));
    }

    /** Whether a place becomes free every few ms when all of them are in use. */
    boolean isQuick(long now) {
      return rate.perWindow(now) > 0 && meanTime <= MAX_QUICK_SPACING * maxCalls;
    }

    /** How many more calls may start; each takes one of the places that are free. */
    int startable() {
      return queue.isEmpty()
          ? Math.max(0, Math.min(maxCalls - calls, (free() - calls + 1) / 2))
          : 0;
    }

    boolean mayWait(long now) {
      return roomToWait(now) > 0;
    }

    /** How many more may wait here; before the first window has ended, for a place each. */
    private int roomToWait(long now) {
      int room = rate.isNew(now) ? free() - waiting : 0;
      return Math.max(room, rate.perWindow(now)) - queue.size();
    }

    /** How many more calls would be made at once, or wait here. */
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

    /** Takes note of how the last window was. */
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
   * All places are free.
   *
   * @param places for calls in flight, each for one
   * @param maxCalls of them to one destination
   * @param patience how long a call of a quick destination takes, at most
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

  /** How many more calls there may be to all destinations of a speed. */
  private int freePlaces(Speed speed) {
    int quarter = places / 4;
    int doubtful = places - quarter - doubtful();
    return switch (speed) {
      case QUICK -> places - inFlight();
      case SLOW -> Math.min(doubtful, Math.max(1, places / 2) - calls(Speed.SLOW));
      case NEW -> Math.min(doubtful, Math.max(1, quarter) - calls(Speed.NEW));
    };
  }

  /** Decides about a call; one that is to be made counts until {@link #finished}. */
  Verdict admit(Destination destination, W work, long now) {
    if (tryStart(destination, now)) {
      return Verdict.START;
    }
    Share share = shares.get(destination);
    if (share != null && share.mayWait(now)) {
      share.queue.add(work);
      waiting++;
      return Verdict.WAIT;
    }
    return Verdict.PUT_OFF;
  }

  /**
   * Makes a call if there is a place for it at once; else it is neither kept nor put off. One that
   * is made counts until {@link #finished}.
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

  /** How many more calls of a destination can be made at once, see {@link #tryStart}. */
  int places(Destination destination) {
    Share share = shares.get(destination);
    if (share != null) {
      return share.startable();
    }
    Speed speed = speeds.getOrDefault(destination, Speed.NEW);
    int free = Math.min(places - inFlight(), freePlaces(speed));
    return Math.max(speed == Speed.QUICK ? 1 : 0, Math.min(maxCalls, (free + 1) / 2));
  }

  /** Whether the places of a destination become free so fast that others can wait for that. */
  boolean isQuick(Destination destination, long now) {
    Share share = shares.get(destination);
    return share != null && share.isQuick(now);
  }

  /**
   * A call is over; what has waited longest for its place is to be made now.
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

  /** When a call that is put off should come back. */
  long retryAt(Destination destination, long now) {
    Share share = shares.get(destination);
    if (share != null) {
      return share.rate.retryAt(now, share.calls);
    }
    boolean slow = speeds.get(destination) == Speed.SLOW;
    return Math.min(
        doubtfulRate.retryAt(now, doubtful()), now + (slow ? MAX_DELAY_OF_SLOW : MAX_DELAY_OF_NEW));
  }

  /** How many more calls to a destination find a place, or may wait for one here. */
  int room(Destination destination, long now) {
    Share share = shares.get(destination);
    return share == null ? places(destination) : share.room(now);
  }

  /** Whether it has so much {@link #room} that a claim for it alone is worth its price. */
  boolean isRoomy(Destination destination, long now, int room) {
    Share share = shares.get(destination);
    return room > 0 && (share == null || room >= share.rate.perWindow(now) / REFILLS);
  }

  /**
   * When the next calls come back by themselves that a claim puts off, as they find no {@link
   * #room}; those that find some are claimed before that.
   */
  CompletionRate.Retries retries(Destination destination, long now) {
    Share share = shares.get(destination);
    return share == null
        ? new CompletionRate(now).retries(now, 1, CLAIMED_AHEAD)
        : share.rate.retries(now, share.calls, CLAIMED_AHEAD);
  }

  /** A claim has put off so many calls to a destination. */
  void putOff(Destination destination, int count, long now) {
    Share share = shares.get(destination);
    if (share != null) {
      share.crowded = true;
      share.rate.noteRetries(now, share.calls, CLAIMED_AHEAD, count);
    }
  }

  /** Whether calls to it are in flight; if not, others are in the way of one that is put off. */
  boolean isCalled(Destination destination) {
    return shares.containsKey(destination);
  }

  /**
   * Whether an overload is to be reported: that of a destination which is too slow for its calls
   * once in a minute at most, and that of too many destinations once each time.
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
   * Removes what waits beyond the calls that a window gets done, latest come first, to be put off;
   * and takes note of who has fallen silent. To be called once in a {@link #CHECK_INTERVAL}.
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

  /** How many wait. */
  int waiting() {
    return waiting;
  }
}
