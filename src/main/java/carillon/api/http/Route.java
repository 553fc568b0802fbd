package carillon.api.http;

import io.vertx.core.Future;
import java.util.List;

/**
 * A row of the table of routes: what answers a method at a path, and who may ask.
 *
 * @param envelope what the dialect of the path puts around it
 * @param method as HTTP has it; {@code *} where it answers any that has no row of its own
 * @param template segments of the path, of which {@code {name}} stands for any name
 * @param label the resource in metrics, traces and the audit log, a word of a small fixed set
 * @param permission what is asked of the caller before the handler is
 */
public record Route(
    DialectEnvelope envelope,
    String method,
    List<String> template,
    String label,
    RoutePermission permission,
    Handler handler) {
  /** Answers a request whose caller may make it. */
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
