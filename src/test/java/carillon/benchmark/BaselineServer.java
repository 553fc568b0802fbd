package carillon.benchmark;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;

/** A ceiling: answers 201 and does nothing. One event loop's share. */
final class BaselineServer extends VerticleBase implements BaselineMain.Listening {
  private static final int CREATED = 201;

  private HttpServer server;

  @Override
  public Future<?> start() {
    server =
        vertx
            .createHttpServer()
            .requestHandler(request -> request.response().setStatusCode(CREATED).end());
    return server.listen(MachineInfo.SHARED_FREE_PORT, "127.0.0.1");
  }

  @Override
  public int port() {
    return server.actualPort();
  }
}
