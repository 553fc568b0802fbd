package carillon.benchmark;

/** Turns the interruption of a thread that waits into a failure, without forgetting it. */
final class Interrupted {
  private Interrupted() {}

  static IllegalStateException of(InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("interrupted", cause);
  }
}
