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
  /** Length of a moment: a delay that nobody notices. */
  static final long MOMENT = 250;

  /** Shortest delay of a call that is put off: before that nothing has changed. */
  static final long MIN_DELAY = 10;

  /** Longest delay of a call that is put off: a slow destination may have recovered. */
  static final long MAX_DELAY = 300_000;

  private long busySince;
  private long windowStart;
  private int done;
  private int doneBefore;
  private long lastDone;
  private double nextTurn;
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
    long windows = (now - windowStart) / MOMENT;
    if (windows > 0) {
      doneBefore = windows == 1 ? done : 0;
      done = 0;
      windowStart += windows * MOMENT;
    }
  }

  /** A call is done. */
  void done(long now) {
    roll(now);
    done++;
    lastDone = now;
  }

  /**
   * How many calls get done in a moment: the better of this one and the last; in the first, an
   * estimate from its part so far.
   */
  int lately(long now) {
    roll(now);
    long passed = now - busySince;
    return isNew(now) && passed >= MIN_DELAY
        ? (int) (done * MOMENT / passed)
        : Math.max(done, doneBefore);
  }

  /** Whether there have been calls for no more than a moment. */
  boolean isNew(long now) {
    return now - busySince < MOMENT;
  }

  /** For how long no call has been done. */
  long silence(long now) {
    return now - lastDone;
  }

  /** Notes that for a moment each call had a place at once: the destination keeps up. */
  void keptUp(long now) {
    keptUp = now;
    nextTurn = 0;
  }

  /**
   * When the next call that is put off should come back.
   *
   * @param calls that are in flight
   */
  long turn(long now, int calls) {
    long reach = Math.max(MOMENT, Math.min(MAX_DELAY, now - keptUp));
    nextTurn = Math.max(nextTurn, (double) now) + spacing(now, calls);
    if (nextTurn > now + reach) {
      nextTurn = now + reach / 2.0; // one more round of turns in what is left
    }
    return Math.max(now + MIN_DELAY, (long) nextTurn);
  }

  /** Time from one call done to the next. */
  private double spacing(long now, int calls) {
    int rate = lately(now);
    return rate > 0
        ? (double) MOMENT / rate
        : Math.max(MOMENT, silence(now)) / (double) Math.max(1, calls);
  }
}
