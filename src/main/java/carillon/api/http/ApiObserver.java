package carillon.api.http;

import carillon.job.action.TraceContext;
import carillon.job.action.TraceContext.TraceSpan;
import carillon.job.name.JobName;
import java.util.Optional;

/**
 * Observer of requests, for metrics and traces. Called on event loops, of several at a time: must
 * be thread-safe, quick, and not throw.
 */
public interface ApiObserver {
  /** Observer that does nothing. */
  ApiObserver NONE = new ApiObserver() {};

  /**
   * Notes that a request was answered.
   *
   * @param dialect {@code native}, {@code arm}, {@code classic}, or {@code none} outside the
   *     dialects
   * @param resource a word of a small fixed set, such as {@code job}
   * @param method as the client sent it
   * @param begunNanos instant at which its head was read, by {@link System#nanoTime}
   */
  default void answered(
      String dialect, String resource, String method, int status, long begunNanos) {}

  /** A job was refused because its target is not allowed. */
  default void refusedTarget() {}

  /**
   * Begins the span of a job that is about to be written. The span learns the outcome, and the job
   * keeps its trace.
   *
   * @param parent the trace of the request, if it has one
   */
  default TraceSpan submits(
      String dialect, String method, JobName job, Optional<TraceContext> parent) {
    return TraceSpan.within(parent);
  }
}
