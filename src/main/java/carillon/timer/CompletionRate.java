package carillon.timer;

/**
 * Measures the rate at which calls in flight complete, and calculates when a deferred call should
 * return. An estimate that was too short is followed by a better one.
 *
 * <p>Deferred calls do not return sooner when the rate improves. Therefore a call is deferred for
 * at most as long as the overload has lasted. A stall of one second, of the destination or of this
 * node, is over one second after its end. A destination that stays slow is tried less and less
 * often. All times are in milliseconds of the {@link ServingTime}.
 */
final class CompletionRate {
  /** Length of the window in which calls are counted, in ms. Nobody notices such a delay. */
  static final long WINDOW = 250;

  /** Minimum delay of a deferred call, in ms: nothing changes before. */
  static final long MIN_DELAY = 10;

  /** Maximum delay of a deferred call, in ms: a slow destination may have recovered. */
  static final long MAX_DELAY = 300_000;

  private long busySince;
  private long windowStart;
  private int done;
  private int doneBefore;
  private long lastDone;
  private double nextRetry;
  private long keptUp;

  CompletionRate(long now) {
    this(now, now);
  }

  /**
   * Creates a rate for calls that begin now.
   *
   * @param keptUp last instant at which the destination kept up
   */
  CompletionRate(long now, long keptUp) {
    busySince = now;
    this.keptUp = keptUp;
    windowStart = now;
    lastDone = now;
  }

  private void roll(long now) {
    long windows = (now - windowStart) / WINDOW;
    if (windows > 0) {
      doneBefore = windows == 1 ? done : 0;
      done = 0;
      windowStart += windows * WINDOW;
    }
  }

  /** Counts a completed call. */
  void done(long now) {
    roll(now);
    done++;
    lastDone = now;
  }

  /**
   * Returns the number of calls that complete in a window: the higher of this window and the
   * previous one. In the first window, extrapolates from the elapsed part.
   */
  int perWindow(long now) {
    roll(now);
    long passed = now - busySince;
    return isNew(now) && passed >= MIN_DELAY
        ? (int) (done * WINDOW / passed)
        : Math.max(done, doneBefore);
  }

  /** Whether the first window of calls has not ended yet. */
  boolean isNew(long now) {
    return now - busySince < WINDOW;
  }

  /** Time since the last completed call. */
  long sinceLastDone(long now) {
    return now - lastDone;
  }

  /**
   * Records that the destination keeps up: each call of the last window got a place immediately.
   */
  void noteKeptUp(long now) {
    keptUp = now;
    nextRetry = 0;
  }

  /**
   * Returns when the next deferred call should return.
   *
   * @param calls number of calls in flight
   */
  long retryAt(long now, int calls) {
    nextRetry = retries(now, calls, 0, WINDOW).next();
    return Math.max(now + MIN_DELAY, (long) nextRetry);
  }

  /**
   * Returns when the next deferred calls should return, one spacing apart.
   *
   * @param calls number of calls in flight
   * @param minDelay minimum delay, ms
   * @param minReach time ahead, in ms, within which calls may be deferred, however short the
   *     overload
   */
  Retries retries(long now, int calls, long minDelay, long minReach) {
    long reach = Math.max(minReach, Math.min(MAX_DELAY, now - keptUp));
    return new Retries(
        Math.max(nextRetry, (double) now + minDelay),
        spacing(now, calls),
        (double) now + reach,
        now + reach / 2.0); // leaves time for one more round of retries
  }

  /** Records that {@code count} calls were deferred according to {@link #retries}. */
  void noteRetries(long now, int calls, long minDelay, long minReach, int count) {
    for (int i = 0; i < count; i++) {
      nextRetry = retries(now, calls, minDelay, minReach).next();
    }
  }

  /**
   * Instants at which deferred calls return.
   *
   * @param at instant of the last one, or now
   * @param spacing time between two of them
   * @param latest upper limit of the instants
   * @param restart where they continue after the limit
   */
  record Retries(double at, double spacing, double latest, double restart) {
    double next() {
      return at + spacing > latest ? restart : at + spacing;
    }
  }

  /** Average time between two completed calls. */
  private double spacing(long now, int calls) {
    int rate = perWindow(now);
    return rate > 0
        ? (double) WINDOW / rate
        : Math.max(WINDOW, sinceLastDone(now)) / (double) Math.max(1, calls);
  }
}
