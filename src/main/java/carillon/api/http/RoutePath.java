package carillon.api.http;

import carillon.flow.FlowName;
import carillon.job.name.CollectionName;
import carillon.job.name.JobException;
import carillon.job.name.JobName;
import carillon.job.name.Quoted;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The path of a request, found in the table: its route, and the names in it. Names are decoded
 * once; whether they are good names is for their types to say. Confined to the event loop of its
 * request.
 */
public final class RoutePath {
  public static final String SUBSCRIPTION = "{subscription}";
  private static final String GROUP = "{group}";
  private static final String COLLECTION = "{collection}";

  /** Subscription, group and collection of a native path that names none. */
  private static final String DEFAULT = "default";

  private final Route route;
  private final List<String> segments;
  private CollectionName collection; // once it is asked for

  /**
   * The path of a request.
   *
   * @param segments decoded; empty if the path cannot be decoded
   */
  public RoutePath(Route route, List<String> segments) {
    this.route = route;
    this.segments = segments;
  }

  /** The row of the table that answers it. */
  public Route route() {
    return route;
  }

  /** The name at this place of the template, such as {@code {job}}, if it has the place. */
  public Optional<String> name(String parameter) {
    int at = route.template().indexOf(parameter);
    return at < 0 ? Optional.empty() : Optional.of(segments.get(at));
  }

  private String required(String parameter) {
    return name(parameter).orElseThrow();
  }

  /** Returns the subscription in the path, {@code default} if it names none. */
  public String subscription() {
    return name(SUBSCRIPTION).orElse(DEFAULT);
  }

  /** Returns the group in the path; empty if the path means a whole subscription. */
  public Optional<String> group() {
    return name(SUBSCRIPTION).isPresent() ? name(GROUP) : Optional.of(DEFAULT);
  }

  /** Whether the path names a collection or leads through one. */
  boolean hasCollection() {
    return route.permission().isOfCollection();
  }

  /**
   * Returns the collection in the path, {@code default} if it names none. Throws INVALID when it
   * cannot be one.
   */
  public CollectionName collection() {
    if (collection == null) {
      collection =
          new CollectionName(
              subscription(), group().orElseThrow(), name(COLLECTION).orElse(DEFAULT));
    }
    return collection;
  }

  /** The job that the path names or leads through. Throws INVALID when it cannot be one. */
  public JobName job() {
    return collection().job(required("{job}"));
  }

  /** The flow that the path names or leads through. Throws INVALID when it cannot be one. */
  public FlowName flow() {
    return new FlowName(subscription(), group().orElseThrow(), required("{flow}"));
  }

  /** The id at the end of the path: of a history entry, a key or an operation. */
  public String id() {
    return segments.get(route.template().size() - 1);
  }

  /** Decodes percent-encoding, once and strictly: throws INVALID if the result is not UTF-8. */
  static String decoded(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes(text))).toString();
    } catch (CharacterCodingException | NumberFormatException e) {
      throw JobException.invalid("'" + Quoted.of(text) + "' is not percent-encoded UTF-8");
    }
  }

  private static byte[] bytes(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '%') {
        bytes.write(hex(text, i + 1) << 4 | hex(text, i + 2));
        i += 2;
      } else {
        bytes.writeBytes(String.valueOf(text.charAt(i)).getBytes(StandardCharsets.UTF_8));
      }
    }
    return bytes.toByteArray();
  }

  private static int hex(String text, int at) {
    int digit = at < text.length() ? Character.digit(text.charAt(at), 16) : -1;
    if (digit < 0) {
      throw new NumberFormatException(text);
    }
    return digit;
  }
}
