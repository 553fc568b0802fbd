package carillon.api.admin;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.bus.TimeControl;
import carillon.bus.TimeControl.Advance;
import carillon.json.view.ClockCodec;
import carillon.json.view.ClockCodec.AdvanceRequest;
import carillon.json.view.ClockCodec.Logged;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;

/** Handlers of {@code /clock}, which only a node with a virtual clock has. */
public final class ClockRoutes {
  private final TimeControl time;

  public ClockRoutes(TimeControl time) {
    this.time = time;
  }

  /** Answers the time of the clock. */
  public Future<ApiResponse> show(ApiRequest request) {
    return onThisLoop(time.nextDue())
        .map(nextDue -> ApiResponse.json(200, ClockCodec.state(time.now(), nextDue)));
  }

  /** Sets it forward; answers when all that is due until then has been performed. */
  public Future<ApiResponse> advance(ApiRequest request) {
    AdvanceRequest asked = ClockCodec.read(request.body());
    return onThisLoop(time.advance(asked.target(), asked.maxAttempts()))
        .map(advance -> ApiResponse.json(200, document(advance)));
  }

  private static byte[] document(Advance advance) {
    return ClockCodec.advanced(
        advance.now(),
        advance.isTruncated(),
        advance.skipped(),
        advance.log().stream()
            .map(ended -> new Logged(ended.name(), ended.entry().orElseThrow()))
            .toList());
  }

  /** The time is controlled on another event loop. */
  private static <T> Future<T> onThisLoop(Future<T> elsewhere) {
    Context context = Vertx.currentContext();
    Promise<T> here = Promise.promise();
    elsewhere.onComplete(done -> context.runOnContext(go -> here.handle(done)));
    return here.future();
  }
}
