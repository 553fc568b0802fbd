package carillon.api;

import carillon.api.admin.HealthChecks;
import carillon.api.admin.MetricsRoute;
import carillon.api.admin.MetricsRoute.MetricsSource;
import carillon.api.arm.ArmModule;
import carillon.api.classic.ClassicModule;
import carillon.api.console.ConsoleRoutes;
import carillon.api.console.LiveEventStream;
import carillon.api.dialect.DialectContext;
import carillon.api.dialect.DialectModule;
import carillon.api.edge.AdmissionLimits;
import carillon.api.edge.BodyReader;
import carillon.api.edge.ConnectionTimeouts;
import carillon.api.edge.CorsPolicy;
import carillon.api.edge.DateHeader;
import carillon.api.edge.LoadShedder;
import carillon.api.edge.ServerTls;
import carillon.api.http.ApiObserver;
import carillon.api.http.DialectEnvelope;
import carillon.api.http.HttpException;
import carillon.api.http.RouteTable;
import carillon.api.jobs.JobOperations;
import carillon.api.jobs.ResourceRoutes;
import carillon.api.jobs.SubmissionSealer;
import carillon.api.resources.CollectionOperations;
import carillon.auth.RequestAuthenticator;
import carillon.auth.RequestId;
import carillon.bus.TimeControl;
import carillon.config.HttpSettings;
import carillon.config.Settings;
import carillon.config.Settings.ArmSettings;
import carillon.job.action.RetryPolicy;
import carillon.json.DialectCodecs;
import carillon.json.JobDefaults;
import carillon.json.action.TargetPolicy;
import carillon.json.text.Dialect;
import carillon.json.text.SubmissionLimits;
import carillon.store.StoreFactory;
import carillon.store.Stores;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Verticle that serves the HTTP API. One per event loop: all share the port, and each has its own
 * link to Redis. With port 0 all instances of one Vert.x share one port of the system's choice.
 */
public final class ApiVerticle extends VerticleBase {
  private static final int GRACE_SECONDS = 5;

  /**
   * Time until waiting requests are refused: before the grace ends, so that the refusals arrive.
   */
  private static final Duration REFUSED_AFTER = Duration.ofSeconds(4);

  private static final Duration ADVANCE_IDLE_TIMEOUT = Duration.ofHours(12);

  /**
   * Port number for Vert.x: all servers with this number share one free port. With 0 each server
   * gets a separate one.
   */
  private static final int ANY_SHARED_PORT = -1;

  private final StoreFactory storeFactory;
  private final InstantSource clock;
  private final ApiOptions options;
  private final HealthChecks healthChecks;
  private final List<DialectModule> dialects;
  private final AdmissionLimits admission;
  private final ApiObserver observer;
  private final Optional<MetricsSource> exposition;
  private final Optional<TimeControl> time;
  private Stores stores; // set once started
  private ConnectionTimeouts timeouts; // set once started
  private LiveEventStream feed; // set once started
  private RouteTable routes; // set once started
  private HttpServer server; // set once started

  /**
   * @param clock the only source of now
   * @param dialects shared by all instances of a node, see {@link #dialects}
   * @param admission shared by all instances of a node
   * @param exposition source of /metrics; empty where metrics are disabled
   * @param time empty if the clock is the real one
   */
  public ApiVerticle(
      StoreFactory storeFactory,
      InstantSource clock,
      ApiOptions options,
      HealthChecks healthChecks,
      List<DialectModule> dialects,
      AdmissionLimits admission,
      ApiObserver observer,
      Optional<MetricsSource> exposition,
      Optional<TimeControl> time) {
    this.storeFactory = storeFactory;
    this.clock = clock;
    this.options = options;
    this.healthChecks = healthChecks;
    this.dialects = List.copyOf(dialects);
    this.admission = admission;
    this.observer = observer;
    this.exposition = exposition;
    this.time = time;
  }

  /** Returns the dialects beside the native one. Each line can go with the folder of its class. */
  public static List<DialectModule> dialects(ArmSettings arm) {
    List<DialectModule> dialects = new ArrayList<>();
    dialects.add(new ArmModule(arm));
    dialects.add(new ClassicModule());
    return dialects;
  }

  @Override
  public Future<?> start() {
    return storeFactory.openForClients(vertx).compose(this::listen);
  }

  private Future<HttpServer> listen(Stores opened) {
    stores = opened;
    RequestAuthenticator login =
        new RequestAuthenticator(
            vertx,
            options.login(),
            opened.operation().apiKeys(),
            opened.operation().sessions(),
            clock,
            System::nanoTime);
    timeouts = new ConnectionTimeouts(idleTimeout(), System::nanoTime, admission);
    vertx.setPeriodic(timeouts.period().toMillis(), id -> timeouts.enforce());
    String node = healthChecks.facts().getOrDefault("node", "");
    feed =
        new LiveEventStream(
            vertx, opened.operation().live(), clock, node, admission, timeouts::renew);
    ConsoleRoutes console = new ConsoleRoutes(feed, login);
    ApiRoutes table = new ApiRoutes();
    List<DialectEnvelope> envelopes = addRoutes(table, opened, login, console);
    routes = table.table();
    server = server(router(login, console, envelopes).handler(vertx));
    return server
        .listen()
        .recover(failure -> opened.close().transform(closed -> Future.failedFuture(failure)));
  }

  private ApiRouter router(
      RequestAuthenticator login, ConsoleRoutes console, List<DialectEnvelope> envelopes) {
    HttpSettings http = options.settings().http();
    LoadShedder loadShedder = new LoadShedder(http.maxLag(), System::nanoTime);
    watch(loadShedder);
    CorsPolicy cors =
        new CorsPolicy(admission.http().corsOrigins(), options.login().settings().isRequired());
    return new ApiRouter(
        routes,
        new RequestGuards(admission, loadShedder, healthChecks::objectionToChanges, cors, clock),
        login,
        new BodyReader(http, admission),
        observer,
        clock,
        envelopes,
        options.servesApi() ? Optional.of(console) : Optional.empty());
  }

  private HttpServer server(Handler<HttpServerRequest> router) {
    DateHeader date = new DateHeader(clock);
    Consumer<HttpServerRequest> begun =
        request -> {
          timeouts.begun(request);
          date.put(request.response());
          RequestId.of(request);
        };
    return vertx
        .createHttpServer(serverOptions())
        .connectionHandler(timeouts::opened)
        .requestHandler(
            request -> {
              begun.accept(request);
              options.tls().ifPresent(tls -> tls.pin(request.response()));
              router.handle(request);
            })
        .invalidRequestHandler(
            request -> {
              begun.accept(request);
              HttpException.malformed(request.decoderResult().cause())
                  .answer(request)
                  .send(request);
            });
  }

  /** An advance of a virtual clock is answered when the calls of years have been made. */
  private Duration idleTimeout() {
    return options.settings().clock().isVirtual()
        ? ADVANCE_IDLE_TIMEOUT
        : options.settings().http().idleTimeout();
  }

  /** Adds all routes, and returns the envelopes of the dialects beside the native one. */
  private List<DialectEnvelope> addRoutes(
      ApiRoutes table, Stores opened, RequestAuthenticator login, ConsoleRoutes console) {
    JobDefaults defaults = defaults(options.settings());
    JobOperations jobs =
        new JobOperations(
            opened, vertx.eventBus(), new SubmissionSealer(vertx, options.vault()), defaults);
    CollectionOperations collections = new CollectionOperations(opened, options.vault());
    MetricsRoute metrics = new MetricsRoute(vertx, opened, exposition);
    ResourceRoutes resources =
        new ResourceRoutes(
            opened, vertx.eventBus(), collections, jobs, table.turns(), table.searches());
    DialectEnvelope ofNative = ofNative();
    return table
        .monitoring(opened, healthChecks, metrics, login.isMonitoringOpen(), clock)
        .forecast(opened, vertx, clock)
        .description(options, opened.resource().calendars(), vertx)
        .administration(opened, login, console)
        .virtualTime(time)
        .upcoming(opened, jobs, defaults.retry(), ofNative)
        .resources(resources, ofNative)
        .dialects(
            dialects,
            new DialectContext(
                opened,
                resources,
                collections,
                jobs,
                table.turns(),
                admission.rates(),
                this::documented,
                options.settings().dispatch().region()));
  }

  private static JobDefaults defaults(Settings settings) {
    return new JobDefaults(
        RetryPolicy.standard(settings.retry().interval(), settings.retry().count()),
        settings.dispatch().timeout());
  }

  private DialectEnvelope ofNative() {
    return new DialectEnvelope.Native(
        DialectCodecs.of(Dialect.NATIVE, options.limits(), targets()),
        admission.rates(),
        options.settings().collections().onFirstUse());
  }

  /** Returns the codecs of a dialect with the documented limits of Azure's service. */
  private DialectCodecs documented(Dialect dialect) {
    SubmissionLimits limits =
        SubmissionLimits.documented(
            options.limits().minRetryInterval(), options.limits().maxTimeout());
    return DialectCodecs.of(dialect, limits, targets());
  }

  /** The table of routes; meaningful once started. */
  RouteTable routes() {
    return routes;
  }

  private void watch(LoadShedder loadShedder) {
    vertx.setTimer(
        LoadShedder.PERIOD.toMillis(),
        id -> {
          loadShedder.ticked();
          watch(loadShedder);
        });
  }

  /** Returns the policy for targets, which counts refusals. */
  private TargetPolicy targets() {
    TargetPolicy rule = options.targets();
    return new TargetPolicy() {
      @Override
      public Optional<String> objection(String host, int port) {
        return rule.objection(host, port);
      }

      @Override
      public void refused() {
        observer.refusedTarget();
      }
    };
  }

  private HttpServerOptions serverOptions() {
    HttpServerOptions server = plain();
    options.tls().ifPresent(tls -> tls.addTo(server));
    return server;
  }

  private HttpServerOptions plain() {
    HttpSettings http = options.settings().http();
    return new HttpServerOptions()
        .setHost(http.host())
        .setPort(http.port() == 0 ? ANY_SHARED_PORT : http.port())
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

  /**
   * Stops accepting, lets running requests finish, refuses the rest, and disconnects from Redis.
   */
  @Override
  public Future<?> stop() {
    feed.close();
    vertx.setTimer(REFUSED_AFTER.toMillis(), id -> timeouts.refuseAll());
    return server.shutdown(GRACE_SECONDS, TimeUnit.SECONDS).eventually(() -> stores.close());
  }
}
