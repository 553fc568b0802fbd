package carillon.api;

import carillon.codec.Dialect;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;

/**
 * One request on its way through the service: told where it leads, it tells how it ended. What does
 * not even get to the routes is told of as resource {@code refused}.
 */
final class Visit {
  private static final String NO_DIALECT = "none";

  private final ApiObserver observer;
  private final long begun = System.nanoTime();
  private String dialect = NO_DIALECT;
  private String resource;

  /**
   * A request that has just come.
   *
   * @param resource a word of a small fixed set
   */
  Visit(ApiObserver observer, String resource) {
    this.observer = observer;
    this.resource = resource;
  }

  /** The request is for this. */
  void leadsTo(Dialect spoken, Enum<?> kind) {
    dialect = word(spoken);
    resource = word(kind);
  }

  private static String word(Enum<?> kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  /** The request was answered. */
  void ended(HttpServerRequest request, Answer answer) {
    observer.answered(dialect, resource, request.method().name(), answer.status(), begun);
  }
}
