package carillon.api;

import carillon.access.Identity;
import carillon.job.Change;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.util.Locale;

/** What a request is about to change, as the audit log tells it. */
final class Changes {
  private Changes() {}

  /**
   * A request of a caller.
   *
   * @param kind what the path is; said in lower case
   */
  static Change of(HttpServerRequest http, Identity caller, Enum<?> kind, Instant now) {
    return of(http, caller, kind.name().toLowerCase(Locale.ROOT), now);
  }

  static Change of(HttpServerRequest http, Identity caller, String what, Instant now) {
    return new Change(
        caller.text(), http.remoteAddress().hostAddress(), http.method().name() + " " + what, now);
  }
}
