package carillon.timer;

/**
 * Measured rate at which calls in flight get done; it tells when a call that has no place yet
 * should come back. A guess that was too short is followed by a better one.
 *
 * <p>What is put off does not come sooner when the rate gets better. So nothing is put off for
 * longer than the calls have been too many until now: a stall of a second, of the destination or of
 * this node, is over a second after its end, and who stays slow is tried the less often the longer
 * it lasts. All times in milliseconds of the {@link ServingTime}.
 */
final class CompletionRate {
  /** Length of the window in which calls are counted, in ms: a delay that nobody notices. */
  static final long WINDOW = 250;

  /** Shortest delay of a call that is put off: before that nothing has changed. */
  static final long MIN_DELAY = 10;

  /** Longest delay of a call that is put off: a slow destination may have recovered. */
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
   * A rate of calls that begin now.
   *
   * @param keptUp until when they have not been too many
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

  /** A call is done. */
  void done(long now) {
    roll(now);
    done++;
    lastDone = now;
  }

  /**
   * How many calls get done in a window: the better of this one and the last; in the first, an
   * estimate from its part so far.
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

  /** For how long no call has been done. */
  long sinceLastDone(long now) {
    return now - lastDone;
  }

  /** Notes that in the last window each call had a place at once: the destination keeps up. */
  void noteKeptUp(long now) {
    keptUp = now;
    nextRetry = 0;
  }

  /**
   * When the next call that is put off should come back.
   *
   * @param calls that are in flight
   */
  long retryAt(long now, int calls) {
    nextRetry = retries(now, calls, WINDOW).next();
    return Math.max(now + MIN_DELAY, (long) nextRetry);
  }

  /**
   * When the next calls that are put off should come back, one spacing after the other.
   *
   * @param calls that are in flight
   * @param minReach so far ahead they may be put off in any case, ms
   */
  Retries retries(long now, int calls, long minReach) {
    long reach = Math.max(minReach, Math.min(MAX_DELAY, now - keptUp));
    return new Retries(
        Math.max(nextRetry, (double) now),
        spacing(now, calls),
        (double) now + reach,
        now + reach / 2.0); // one more round of retries in what is left
  }

  /** So many calls are put off, as {@link #retries} says. */
  void noteRetries(long now, int calls, long minReach, int count) {
    for (int i = 0; i < count; i++) {
      nextRetry = retries(now, calls, minReach).next();
    }
  }

  /**
   * Instants at which calls that are put off come back.
   *
   * @param at that of the last one, or now
   * @param spacing from one to the next
   * @param latest of them
   * @param restart where they go on after that
   */
  record Retries(double at, double spacing, double latest, double restart) {
    double next() {
      return at + spacing > latest ? restart : at + spacing;
    }
  }

  /** Time from one call done to the next. */
  private double spacing(long now, int calls) {
    int rate = perWindow(now);
    return rate > 0
        ? (double) WINDOW / rate
        : Math.max(WINDOW, sinceLastDone(now)) / (double) Math.max(1, calls);
  }
}
