package carillon.api.http;

import carillon.api.edge.ConnectionTimeouts;
import carillon.support.Await;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import org.junit.jupiter.api.AfterEach;

/** Base of tests of connections to a bare server on one event loop. */
public abstract class WithEventLoop {
  protected final Vertx vertx = Vertx.vertx();
  protected final Context loop = vertx.getOrCreateContext();

  @AfterEach
  void stop() {
    Await.result(vertx.close());
  }

  /** Serves with these timeouts; returns the port. */
  protected int listen(ConnectionTimeouts timeouts, Handler<HttpServerRequest> answer) {
    Promise<HttpServer> server = Promise.promise();
    loop.runOnContext(
        go ->
            vertx
                .createHttpServer(new HttpServerOptions().setHttp2ClearTextEnabled(false))
                .connectionHandler(timeouts::opened)
                .requestHandler(
                    request -> {
                      timeouts.begun(request);
                      answer.handle(request);
                    })
                .listen(0, "127.0.0.1")
                .onComplete(server));
    return Await.result(server.future()).actualPort();
  }
}
