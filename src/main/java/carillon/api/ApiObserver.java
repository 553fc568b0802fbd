package carillon.api;

/**
 * Told what the API is asked. Called on event loops, of several at a time: must be thread-safe,
 * quick, and not throw.
 */
public interface ApiObserver {
  /** Looks away. */
  ApiObserver NONE = new ApiObserver() {};

  /**
   * A request was answered.
   *
   * @param dialect {@code native}, {@code arm}, {@code classic}, or {@code none} for what belongs
   *     to no dialect
   * @param resource a word of a small fixed set, such as {@code job}
   * @param method as the client sent it
   * @param begunNanos when it was read, as {@link System#nanoTime} tells
   */
  default void answered(
      String dialect, String resource, String method, int status, long begunNanos) {}

  /** A job was refused because it names a place that jobs may not call. */
  default void refusedTarget() {}
}
