package carillon.api.http;

import io.vertx.core.Future;
import java.util.List;

/**
 * Row of the table of routes: the handler of a method at a path, and the permission it requires.
 *
 * @param envelope of the dialect of the path
 * @param method as HTTP has it; {@code *} where it answers any that has no row of its own
 * @param template segments of the path, of which {@code {name}} stands for any name
 * @param label the resource in metrics, traces and the audit log, a word of a small fixed set
 * @param permission that the caller needs
 * @param body what a body may be
 * @param parameters of the query, beside {@code api-version}; {@link #ANY_PARAMETER} where all are
 *     taken
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
  /** Stands for every parameter: probes and scrapers may send their own, which are ignored. */
  public static final String ANY_PARAMETER = "*";

  /** What a body may be, beside what its dialect allows everywhere. */
  public enum BodyFormat {
    /** Nothing is taken from it: in the native dialect it says nothing. */
    NONE,
    JSON,
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

  /** The path as it is described, such as {@code /keys/{key}}. */
  public String path() {
    return "/" + String.join("/", template);
  }
}
