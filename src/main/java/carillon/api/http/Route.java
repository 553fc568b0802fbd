package carillon.api.http;

import io.vertx.core.Future;
import java.util.List;

/**
 * Row of the table of routes: the handler of a method at a path, and the permission it requires.
 *
 * @param envelope of the dialect of the path
 * @param method as HTTP has it; {@code *} for all methods without a separate row
 * @param template segments of the path; {@code {name}} matches any name
 * @param label the resource in metrics, traces and the audit log, a word of a small fixed set
 * @param permission that the caller needs
 * @param body format of the body
 * @param parameters of the query, in addition to {@code api-version}; {@link #ANY_PARAMETER} if all
 *     are accepted
 */
public record Route(
    DialectEnvelope envelope,
    String method,
    List<String> template,
    String label,
    RoutePermission permission,
    BodyFormat body,
    List<String> parameters,
    Handler handler) {
  /**
   * Wildcard for every parameter: probes and scrapers may send additional parameters, which are
   * ignored.
   */
  public static final String ANY_PARAMETER = "*";

  /** Format of a body, in addition to the formats that its dialect allows everywhere. */
  public enum BodyFormat {
    /** The body is ignored. In the native dialect it must be empty or have no properties. */
    NONE,
    JSON,
    /** JSON of at most 16 KB, on routes that compute much from little. */
    SMALL_JSON,
    JSON_OR_ICALENDAR
  }

  /** Whether nothing is taken from a body. */
  boolean takesNoBody() {
    return body == BodyFormat.NONE;
  }

  /** Handler of permitted requests. */
  @FunctionalInterface
  public interface Handler {
    /** Fails, or throws, with the refusal. */
    Future<ApiResponse> answer(ApiRequest request);
  }

  /** Returns the path as in the description, such as {@code /keys/{key}}. */
  public String path() {
    return "/" + String.join("/", template);
  }
}
