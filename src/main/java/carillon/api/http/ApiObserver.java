package carillon.api.http;

import carillon.job.JobName;
import carillon.job.TraceContext;
import carillon.job.TraceContext.TraceSpan;
import java.util.Optional;

/**
 * Observer of requests, for metrics and traces. Called on event loops, of several at a time: must
 * be thread-safe, quick, and not throw.
 */
public interface ApiObserver {
  /** Observer that does nothing. */
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

  /** A job was refused because its target is not allowed. */
  default void refusedTarget() {}

  /**
   * A job is about to be written. What is returned is told how that ends, and the job is kept in
   * its trace.
   *
   * @param parent the trace of the request, if it says so
   */
  default TraceSpan submits(
      String dialect, String method, JobName job, Optional<TraceContext> parent) {
    return TraceSpan.within(parent);
  }
}
