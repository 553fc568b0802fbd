package carillon.dispatch.servicebus;

import io.vertx.core.AsyncResult;
import io.vertx.core.Handler;
import io.vertx.core.Promise;

/** The library tells outcomes to handlers; here they complete promises. */
final class Completion {
  private Completion() {}

  static <T> Handler<AsyncResult<T>> of(Promise<T> promise) {
    return outcome -> {
      if (outcome.succeeded()) {
        promise.tryComplete(outcome.result());
      } else {
        promise.tryFail(outcome.cause());
      }
    };
  }
}
