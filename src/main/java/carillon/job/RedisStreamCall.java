package carillon.job;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds an entry to a stream in the scheduler's Redis.
 *
 * @param stream name of the stream, without the prefix that keeps it apart from other keys
 * @param message the field {@code message} of the entry
 * @param fields further fields of the entry, in the client's order
 * @param maxLength entries that the stream keeps, about; the oldest are dropped. {@link
 *     #UNSPECIFIED} for the deployment's bound
 */
public record RedisStreamCall(
    String stream, String message, Map<String, String> fields, int maxLength) implements Call {
  /** The fields that every entry has, by which a consumer knows the execution. */
  public static final List<String> OWN_FIELDS =
      List.of("execution", "collection", "job", "due", "message");

  /** The client gave no length. */
  public static final int UNSPECIFIED = 0;

  public RedisStreamCall {
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
  }

  /** Has none. */
  @Override
  public RedisStreamCall mapSecrets(Secret.Mapping mapping) {
    return this;
  }

  /** Names the destination only: message and fields may hold secrets. */
  @Override
  public String toString() {
    return "RedisStreamCall[" + stream + "]";
  }
}
