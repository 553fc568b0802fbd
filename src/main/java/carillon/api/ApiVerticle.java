package carillon.api;

import carillon.store.Storage;
import carillon.store.Stores;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Serves the HTTP API. One per event loop: all share the port, and each has its own link to Redis.
 * Instances that are to share a port of the system's choice must be of one deployment.
 */
public final class ApiVerticle extends VerticleBase {
  private static final int GRACE_SECONDS = 5;

  /** To Vert.x: one free port for all instances of a deployment, where 0 is one for each. */
  private static final int ANY_SHARED_PORT = -1;

  private final Storage storage;
  private final InstantSource clock;
  private final ApiSettings settings;
  private final Readiness readiness;
  private Stores stores; // set once started
  private HttpServer server; // set once started

  /**
   * @param clock the only source of now
   */
  public ApiVerticle(
      Storage storage, InstantSource clock, ApiSettings settings, Readiness readiness) {
    this.storage = storage;
    this.clock = clock;
    this.settings = settings;
    this.readiness = readiness;
  }

  @Override
  public Future<?> start() {
    return storage.openForClients(vertx).compose(this::listen);
  }

  private Future<HttpServer> listen(Stores opened) {
    stores = opened;
    Resources resources = new Resources(opened, vertx.eventBus(), clock, settings.limits());
    Service service = new Service(resources, new HealthRoutes(new Health()), clock, settings);
    server =
        vertx
            .createHttpServer(options())
            .requestHandler(service.handler(vertx))
            .invalidRequestHandler(InvalidRequests::answer);
    return server
        .listen()
        .recover(
            failure -> opened.link().close().transform(closed -> Future.failedFuture(failure)));
  }

  /** Without Redis there is nothing this node can do; beyond that it is for the App to say. */
  private final class Health implements Readiness {
    @Override
    public Future<List<String>> obstacles() {
      return stores.link().isUp()
          ? readiness.obstacles()
          : Future.succeededFuture(List.of("Redis is not connected."));
    }

    @Override
    public Map<String, String> facts() {
      return readiness.facts();
    }
  }

  private HttpServerOptions options() {
    return new HttpServerOptions()
        .setHost(settings.host())
        .setPort(settings.port() == 0 ? ANY_SHARED_PORT : settings.port())
        .setIdleTimeout((int) settings.idleTimeout().toMillis())
        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
        .setHttp2ClearTextEnabled(false)
        .setCompressionSupported(false)
        .setPerFrameWebSocketCompressionSupported(false)
        .setPerMessageWebSocketCompressionSupported(false)
        .setDecompressionSupported(false);
  }

  /** The port that is listened on; meaningful once started. */
  public int port() {
    return server.actualPort();
  }

  /** Accepts nothing more, lets what has begun end, and leaves Redis. */
  @Override
  public Future<?> stop() {
    return server.shutdown(GRACE_SECONDS, TimeUnit.SECONDS).eventually(() -> stores.link().close());
  }
}
