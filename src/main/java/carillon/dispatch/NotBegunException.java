package carillon.dispatch;

import java.time.Duration;

/**
 * An attempt was not begun: nothing was sent, and it does not count. Its claim is to be given back.
 */
final class NotBegunException extends RuntimeException {
  private final Duration pause;

  /**
   * An attempt that somebody is to begin.
   *
   * @param why fit for a log
   * @param pause before it is worth another claim
   */
  NotBegunException(String why, Duration pause) {
    super(why, null, false, false);
    this.pause = pause;
  }

  Duration pause() {
    return pause;
  }
}
