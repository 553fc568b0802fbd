package carillon.json;

import carillon.job.JobException;
import carillon.job.JobException.Detail;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A call as the shortest job: {@code {"url": ..., "body": ..., "in": "10s"}}, in one object. */
final class CallShorthand {
  private static final String URL = "url";
  private static final Set<String> OF_JOB =
      Set.of("id", JobShorthand.IN, "startTime", "timeZone", "startWithin", "priority");
  private static final Set<String> OF_ACTION =
      Set.of("timeout", "retryPolicy", "successOn", "flow", "errorAction");
  private static final Set<String> OF_REQUEST =
      Set.of("method", "headers", "body", "authentication");
  private static final Set<String> KNOWN = known();

  private CallShorthand() {}

  private static Set<String> known() {
    Set<String> known = new HashSet<>(OF_JOB);
    known.addAll(OF_ACTION);
    known.addAll(OF_REQUEST);
    known.add(URL);
    return Set.copyOf(known);
  }

  /**
   * The native document of the job.
   *
   * @param fields of the same call
   * @param in beside the document, as the query has it
   */
  static Map<String, Object> job(JsonFields fields, Map<String, Object> call, Optional<String> in) {
    fields.allowOnly(KNOWN, Dialect.NATIVE);
    Map<String, Object> request = only(call, OF_REQUEST);
    request.put("uri", fields.requiredText(URL));
    Map<String, Object> action = only(call, OF_ACTION);
    action.put("request", request);
    Map<String, Object> job = only(call, OF_JOB);
    job.put("action", action);
    in.ifPresent(wait -> addIn(fields, job, wait));
    return job;
  }

  private static void addIn(JsonFields fields, Map<String, Object> job, String wait) {
    if (job.get(JobShorthand.IN) != null) {
      fields.report(JobException.invalid("in: is in the query and in the body; leave one out"));
    }
    job.put(JobShorthand.IN, wait);
  }

  private static Map<String, Object> only(Map<String, Object> call, Set<String> names) {
    Map<String, Object> found = new LinkedHashMap<>(call);
    found.keySet().retainAll(names);
    return found;
  }

  /** The refusal of the job, with the place of what it is about in the call. */
  static JobException ofCall(JobException refusal) {
    return new JobException(
        refusal.code(),
        ofCall(refusal.getMessage()),
        refusal.details().stream()
            .map(d -> new Detail(d.code(), ofCall(d.message()), ofCall(d.target())))
            .toList());
  }

  private static String ofCall(String place) {
    return place
        .replaceFirst("^action\\.request\\.uri\\b", URL)
        .replaceFirst("^action\\.(?:request\\.)?", "");
  }
}
