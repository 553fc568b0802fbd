package carillon.codec;

import carillon.job.Action;
import carillon.job.JobException;
import carillon.job.RetryPolicy;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Reads what a job does, and what it does when that fails. */
final class ActionReader {
  private static final String QUEUE = "queueMessage";
  private static final String BUS_QUEUE = "serviceBusQueueMessage";
  private static final String BUS_TOPIC = "serviceBusTopicMessage";
  private static final Set<String> KNOWN =
      Set.of("type", "request", "retryPolicy", "errorAction", QUEUE, BUS_QUEUE, BUS_TOPIC);
  private static final List<String> UNAVAILABLE = List.of(QUEUE, BUS_QUEUE, BUS_TOPIC);
  private static final Words<String> TYPES =
      Words.of(
          Stream.of("http", "https", "storagequeue", "servicebusqueue", "servicebustopic"),
          type -> type);
  private static final Set<String> HTTP_TYPES = Set.of("http", "https");

  private final Dialect dialect;
  private final CallReader calls;
  private final RetryPolicyReader retryPolicies;

  ActionReader(Dialect dialect, Limits limits) {
    this.dialect = dialect;
    this.calls = new CallReader(dialect, limits);
    this.retryPolicies = new RetryPolicyReader(dialect, limits);
  }

  /** The main action alone. */
  Action read(Fields fields) {
    fields.allowOnly(KNOWN, dialect);
    String type = fields.requiredWord("type", TYPES);
    if (!HTTP_TYPES.contains(type)) {
      throw fields.refusal("type", "is not available in this version; use http or https");
    }
    UNAVAILABLE.forEach(fields::refuseUnavailable);
    return new Action(
        calls.read(fields.requiredObject("request"), type.equals("https")),
        fields.object("retryPolicy").map(retryPolicies::read).orElse(RetryPolicy.UNSPECIFIED));
  }

  /** What follows when every attempt of the main action has failed. */
  Optional<Action> readErrorAction(Fields action) {
    Optional<Fields> errorAction = action.object("errorAction");
    if (errorAction.filter(fields -> fields.has("errorAction")).isPresent()) {
      throw JobException.invalid("action.errorAction.errorAction: an error action has none itself");
    }
    return errorAction.map(this::read);
  }
}
