package carillon.api;

import carillon.codec.TargetRule;
import carillon.login.Login;
import carillon.store.Storage;
import carillon.store.Stores;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.time.InstantSource;
import java.util.Optional;
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
  private final Throttle throttle;
  private final Doors doors;
  private final ApiObserver observer;
  private final Optional<Exposition> exposition;
  private Stores stores; // set once started
  private LiveFeed feed; // set once started
  private HttpServer server; // set once started

  /**
   * @param clock the only source of now
   * @param throttle shared by all instances of a node
   * @param doors likewise
   * @param exposition what /metrics shows; empty where there is none
   */
  public ApiVerticle(
      Storage storage,
      InstantSource clock,
      ApiSettings settings,
      Readiness readiness,
      Throttle throttle,
      Doors doors,
      ApiObserver observer,
      Optional<Exposition> exposition) {
    this.storage = storage;
    this.clock = clock;
    this.settings = settings;
    this.readiness = readiness;
    this.throttle = throttle;
    this.doors = doors;
    this.observer = observer;
    this.exposition = exposition;
  }

  @Override
  public Future<?> start() {
    return storage.openForClients(vertx).compose(this::listen);
  }

  private Future<HttpServer> listen(Stores opened) {
    stores = opened;
    ArmEnvelope envelope = new ArmEnvelope(throttle, settings.region());
    Resources resources =
        new Resources(
            opened,
            vertx.eventBus(),
            clock,
            settings.limits(),
            envelope,
            settings.region(),
            new Intake(vertx, settings.vault()),
            settings.vault(),
            observed(settings.targets()),
            doors);
    Login login =
        new Login(
            vertx, settings.login(), opened.apiKeys(), opened.sessions(), clock, System::nanoTime);
    Patience patience = new Patience(settings.idleTimeout(), System::nanoTime, doors);
    Overload overload = new Overload(doors.limits().maxLag(), System::nanoTime);
    watch(overload);
    String node = readiness.facts().getOrDefault("node", "");
    feed = new LiveFeed(vertx, opened.live(), clock, node, doors, patience::renew);
    Service service =
        new Service(
            resources,
            new HealthRoutes(readiness, opened),
            new NodeRoutes(opened.nodes()),
            new OverviewRoute(new Overview(opened, readiness)),
            new ConsoleRoutes(feed),
            new DueRoute(opened.due()),
            new MetricsRoute(vertx, opened, exposition),
            observer,
            new KeyRoutes(opened.apiKeys(), opened.collections(), opened.audit()),
            new AuditRoutes(opened.audit()),
            opened.audit(),
            login,
            doors,
            overload,
            clock,
            settings);
    vertx.setPeriodic(patience.period().toMillis(), id -> patience.enforce());
    Handler<HttpServerRequest> handler = service.handler(vertx);
    server =
        vertx
            .createHttpServer(options())
            .connectionHandler(patience::opened)
            .requestHandler(
                request -> {
                  patience.begun(request.connection());
                  settings.tls().ifPresent(tls -> tls.pin(request.response()));
                  handler.handle(request);
                })
            .invalidRequestHandler(
                request -> {
                  patience.begun(request.connection());
                  InvalidRequests.answer(request);
                });
    return server
        .listen()
        .recover(
            failure -> opened.link().close().transform(closed -> Future.failedFuture(failure)));
  }

  private void watch(Overload overload) {
    vertx.setTimer(
        Overload.PERIOD.toMillis(),
        id -> {
          overload.ticked();
          watch(overload);
        });
  }

  private TargetRule observed(TargetRule rule) {
    return (host, port) -> {
      Optional<String> objection = rule.objection(host, port);
      if (objection.isPresent()) {
        observer.refusedTarget();
      }
      return objection;
    };
  }

  private HttpServerOptions options() {
    HttpServerOptions options = plain();
    settings.tls().ifPresent(tls -> tls.addTo(options));
    return options;
  }

  private HttpServerOptions plain() {
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

  /**
   * Shows another certificate from the next connection on, also for all other instances that share
   * the port. Fails, and changes nothing, when it cannot be used.
   */
  public Future<Void> renew(ServerTls tls) {
    return server.updateSSLOptions(tls.options(), true).mapEmpty();
  }

  /** Accepts nothing more, lets what has begun end, and leaves Redis. */
  @Override
  public Future<?> stop() {
    feed.close();
    return server.shutdown(GRACE_SECONDS, TimeUnit.SECONDS).eventually(() -> stores.link().close());
  }
}
