package carillon.observe.metrics;

import carillon.api.http.ApiObserver;
import carillon.job.action.TraceContext;
import carillon.job.action.TraceContext.TraceSpan;
import carillon.job.name.JobName;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import java.util.Optional;
import java.util.Set;

/** Meters of the requests to the API. */
final class ApiMeters implements ApiObserver {
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "PUT", "POST", "PATCH", "DELETE", "OPTIONS");
  private static final String[] CLASSES = {"1xx", "2xx", "3xx", "4xx", "5xx"};

  private final Counter requests;
  private final DistributionDataPoint duration;
  private final CounterDataPoint accepted;
  private final CounterDataPoint refused;
  private final ApiObserver traces;

  /**
   * @param refusals of the egress policy, by place
   * @param traces returns the trace of a submission
   */
  ApiMeters(MeterFactory meters, Counter refusals, ApiObserver traces) {
    this.traces = traces;
    requests =
        meters.counter(
            "api_requests_total",
            "Requests, by dialect, resource, method and class of status.",
            "dialect",
            "resource",
            "method",
            "status");
    duration =
        meters
            .histogram(
                "api_request_seconds",
                "Time from the head of a request to its answer. Includes its body and all waits.",
                MeterFactory.SHORT)
            .labelValues();
    accepted =
        meters
            .counter("accepted_total", "Accepted job definitions: PUT, POST and PATCH.")
            .labelValues();
    refused = refusals.labelValues("submission");
  }

  @Override
  public void answered(
      String dialect, String resource, String method, int status, long begunNanos) {
    String known = METHODS.contains(method) ? method : "other";
    requests.labelValues(dialect, resource, known, CLASSES[status / 100 - 1]).inc();
    duration.observe(MeterFactory.secondsSince(begunNanos));
    if (status / 100 == 2 && isSubmission(resource, known)) {
      accepted.inc();
    }
  }

  private static boolean isSubmission(String resource, String method) {
    return switch (resource) {
      case "job" -> method.equals("PUT") || method.equals("PATCH");
      case "jobs", "call" -> method.equals("POST");
      default -> false;
    };
  }

  @Override
  public void refusedTarget() {
    refused.inc();
  }

  @Override
  public TraceSpan submits(
      String dialect, String method, JobName job, Optional<TraceContext> parent) {
    return traces.submits(dialect, method, job, parent);
  }
}
