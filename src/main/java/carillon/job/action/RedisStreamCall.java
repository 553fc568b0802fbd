package carillon.job.action;

import carillon.job.action.TextMapping.TextForm;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Entry for a stream in the scheduler's Redis.
 *
 * @param stream name of the stream within the job's collection
 * @param message the field {@code message} of the entry
 * @param fields further fields of the entry, in the client's order
 * @param maxLength entries that the stream keeps, about; the oldest are dropped. If several jobs
 *     fill a stream, the largest value applies; {@link #UNSPECIFIED} for the deployment's bound
 */
public record RedisStreamCall(
    String stream, String message, Map<String, String> fields, int maxLength)
    implements ActionCall {
  /** Fields of every entry, by which a consumer identifies the execution. */
  public static final List<String> OWN_FIELDS =
      List.of("execution", "subscription", "group", "collection", "job", "due", "message");

  /** Value of a length that the client did not give. */
  public static final int UNSPECIFIED = 0;

  public RedisStreamCall {
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
  }

  @Override
  public Kind kind() {
    return Kind.REDIS_STREAM;
  }

  /** Returns this call itself, because it has no secrets. */
  @Override
  public RedisStreamCall mapSecrets(Secret.Mapping mapping) {
    return this;
  }

  @Override
  public RedisStreamCall mapTexts(TextMapping mapping) {
    Map<String, String> others = new LinkedHashMap<>(fields);
    others.replaceAll((name, value) -> mapping.apply("fields." + name, value, TextForm.PLAIN));
    String other = mapping.apply("message", message, TextForm.PLAIN);
    return new RedisStreamCall(stream, other, others, maxLength);
  }

  @Override
  public Destination destination() {
    return Destination.OWN_QUEUES;
  }

  /** Names the destination only: message and fields may hold secrets. */
  @Override
  public String toString() {
    return "RedisStreamCall[" + stream + "]";
  }
}
