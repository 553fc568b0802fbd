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
 */
public record Route(
    DialectEnvelope envelope,
    String method,
    List<String> template,
    String label,
    RoutePermission permission,
    Handler handler) {
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
