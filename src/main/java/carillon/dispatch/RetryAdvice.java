package carillon.dispatch;

import io.vertx.core.MultiMap;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What an answer says about a retry of the call.
 *
 * @param status of the answer; empty where none came
 * @param isRefused the target says that it wants none: {@code Carillon-Retry: no}
 * @param notBefore the target asks not to be called again before this instant
 */
record RetryAdvice(OptionalInt status, boolean isRefused, Optional<Instant> notBefore) {
  static final String HEADER = "Carillon-Retry";

  /** Of a target that did not answer, or not by HTTP. */
  static final RetryAdvice NONE = new RetryAdvice(OptionalInt.empty(), false, Optional.empty());

  /** What status and headers say. */
  static RetryAdvice of(int status, MultiMap headers, Instant now) {
    String wish = headers.get(HEADER);
    return new RetryAdvice(
        OptionalInt.of(status),
        wish != null && wish.trim().equalsIgnoreCase("no"),
        RetryAfter.of(status, headers.get("Retry-After"), now));
  }
}
