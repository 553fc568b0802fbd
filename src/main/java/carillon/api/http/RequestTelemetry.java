package carillon.api.http;

import carillon.job.JobName;
import carillon.job.TraceContext;
import carillon.job.TraceContext.TraceSpan;
import carillon.json.Dialect;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import java.util.Optional;

/**
 * One request on its way through the service: told where it leads, it tells how it ended. What does
 * not even get to the routes is told of as resource {@code refused}.
 */
public final class RequestTelemetry {
  private static final String NO_DIALECT = "none";

  private final ApiObserver observer;
  private final long begun = System.nanoTime();
  private String dialect = NO_DIALECT;
  private String resource;
  private Optional<TraceSpan> span = Optional.empty();

  /**
   * A request that has just come.
   *
   * @param resource a word of a small fixed set
   */
  RequestTelemetry(ApiObserver observer, String resource) {
    this.observer = observer;
    this.resource = resource;
  }

  /** The request is for this. */
  public void leadsTo(Dialect spoken, Enum<?> kind) {
    dialect = word(spoken);
    resource = word(kind);
  }

  /**
   * The request writes a job.
   *
   * @return the trace that the job is kept in
   */
  Optional<TraceContext> submits(HttpServerRequest request, JobName job) {
    if (span.isEmpty()) {
      Optional<TraceContext> parent =
          TraceContext.of(
              request.getHeader(TraceContext.PARENT), request.getHeader(TraceContext.STATE));
      span = Optional.of(observer.submits(dialect, request.method().name(), job, parent));
    }
    return span.get().context();
  }

  private static String word(Enum<?> kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  /** The request was answered. */
  void ended(HttpServerRequest request, ApiResponse response) {
    observer.answered(dialect, resource, request.method().name(), response.status(), begun);
    span.ifPresent(
        work -> {
          work.status(response.status());
          work.ended();
        });
  }
}
