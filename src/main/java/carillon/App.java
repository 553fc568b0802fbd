package carillon;

import carillon.api.ApiObserver;
import carillon.api.ApiSettings;
import carillon.api.ApiVerticle;
import carillon.api.Doors;
import carillon.api.Exposition;
import carillon.api.ServerTls;
import carillon.api.Throttle;
import carillon.bus.Messages;
import carillon.codec.Limits;
import carillon.config.ArmSettings;
import carillon.config.HttpSettings;
import carillon.config.LimitsSettings;
import carillon.config.MetricsSettings;
import carillon.config.NodeSettings;
import carillon.config.RedisSettings;
import carillon.config.Settings;
import carillon.dispatch.DispatchObserver;
import carillon.dispatch.DispatcherVerticle;
import carillon.egress.OwnPlaces;
import carillon.log.JsonLines;
import carillon.loops.LoopWatch;
import carillon.metrics.ActivityVerticle;
import carillon.metrics.Metrics;
import carillon.rotation.RotationVerticle;
import carillon.secret.SecretException;
import carillon.store.AuditBounds;
import carillon.store.HistoryBounds;
import carillon.store.Keys;
import carillon.store.Lease;
import carillon.store.Meta;
import carillon.store.RedisClock;
import carillon.store.RedisObserver;
import carillon.store.ServerSafety;
import carillon.store.Storage;
import carillon.store.Stores;
import carillon.timer.TimerObserver;
import carillon.timer.TimerVerticle;
import carillon.tracing.Tracing;
import ch.qos.logback.classic.LoggerContext;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.dns.AddressResolverOptions;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The composition root: the only class that sees every package. Deploys the verticles and stops
 * them in reverse: the API refuses, the timer claims no more, attempts in flight end, the node says
 * goodbye.
 */
public final class App {
  private static final Logger LOG = LoggerFactory.getLogger(App.class);

  /** Names that jobs call are many; none is kept for longer than this, whatever its owner says. */
  private static final int NAMES_KEPT_SECONDS = 60;

  private final Vertx vertx;
  private final TimerVerticle timer;
  private final Optional<String> dispatcherId;
  private final String timerId;
  private final String apiId;
  private final int port;
  private final NodeHealth health;
  private final Optional<Tracing> tracing;

  private App(Deployment deployment) {
    this.vertx = deployment.vertx;
    this.timer = deployment.timer;
    this.dispatcherId = deployment.dispatcherId;
    this.timerId = deployment.timerId;
    this.apiId = deployment.apiId;
    this.port = deployment.port;
    this.health = deployment.health;
    this.tracing = deployment.tracing;
  }

  /** The port that the API listens on. */
  int port() {
    return port;
  }

  /**
   * Starts a node. Fails with an exception whose message is one clear line for an operator.
   *
   * @param redisUri of the Redis to use; several in modes sentinel and cluster
   * @param embedded whether that Redis is this process's own, so that no other node can be on it
   */
  public static Future<App> start(Settings settings, List<URI> redisUri, boolean embedded) {
    SealingKeys keys;
    OperatorKey operator;
    try {
      keys = SealingKeys.of(settings, embedded);
      operator = OperatorKey.of(settings, embedded);
    } catch (SecretException e) {
      return Future.failedFuture(e);
    }
    Vertx vertx =
        Vertx.vertx(
            new VertxOptions()
                .setAddressResolverOptions(
                    new AddressResolverOptions().setCacheMaxTimeToLive(NAMES_KEPT_SECONDS)));
    Messages.register(vertx.eventBus());
    // Bound to no event loop, like that of stop.
    Promise<App> started = Promise.promise();
    new Deployment(vertx, settings, redisUri, embedded, keys, operator)
        .run()
        .onSuccess(started::complete)
        .onFailure(failure -> vertx.close().onComplete(closed -> started.fail(failure)));
    return started.future();
  }

  /** Stops gracefully; does not fail. */
  public Future<Void> stop() {
    LOG.atInfo().log("stopping");
    health.stopping();
    // Bound to no event loop: those are gone when Vert.x is closed, and would not complete it.
    Promise<Void> stopped = Promise.promise();
    undeploy(apiId)
        .compose(refused -> timer.quiesce())
        .compose(quiet -> dispatcherId.map(this::undeploy).orElse(Future.succeededFuture()))
        .compose(drained -> undeploy(timerId))
        .compose(ended -> tracing.map(Tracing::stop).orElse(Future.succeededFuture()))
        .onComplete(done -> vertx.close().onComplete(closed -> stopped.complete()));
    return stopped.future().onSuccess(done -> LOG.atInfo().log("stopped"));
  }

  private Future<Void> undeploy(String id) {
    return vertx
        .undeploy(id)
        .onFailure(failure -> LOG.atError().setCause(failure).log("a part did not stop cleanly"))
        .otherwiseEmpty();
  }

  /** The steps of a start, and what they bring forth. */
  private static final class Deployment {
    private final Vertx vertx;
    private final Settings settings;
    private final boolean embedded;
    private final RedisClock clock = new RedisClock(System::nanoTime);
    private final Lease lease;
    private final SealingKeys keys;
    private final OperatorKey operator;
    private final String nodeId;
    private final Storage storage;
    private final OwnPlaces own = new OwnPlaces();
    private final Optional<Metrics> metrics;
    private final Optional<Tracing> tracing;
    private final LoopWatch loops;
    private final Optional<ServerTls> tls;
    private Way way;
    private TimerVerticle timer;
    private Optional<String> dispatcherId = Optional.empty();
    private String timerId;
    private String apiId;
    private int port;
    private Meta.Server redis;
    private NodeHealth health;
    private List<String> unsafe = List.of();

    Deployment(
        Vertx vertx,
        Settings settings,
        List<URI> redisUri,
        boolean embedded,
        SealingKeys keys,
        OperatorKey operator) {
      this.keys = keys;
      this.operator = operator;
      this.vertx = vertx;
      this.settings = settings;
      this.embedded = embedded;
      this.tls = CertificateWatch.files(settings.http().tls());
      this.nodeId = nodeId();
      tellLog(nodeId);
      MetricsSettings shown = settings.metrics();
      this.metrics =
          shown.enabled()
              ? Optional.of(
                  new Metrics(Version.current(), shown.destinations(), clock, System::nanoTime))
              : Optional.empty();
      this.loops =
          new LoopWatch(
              System::nanoTime, metrics.<LongConsumer>map(Metrics::loops).orElse(lag -> {}));
      this.tracing = Tracings.of(settings.tracing(), nodeId, clock);
      this.lease =
          new Lease(
              System::nanoTime, settings.node().lease(), settings.node().heartbeat().dividedBy(2));
      this.storage =
          new Storage(
              RedisSetups.of(settings.redis(), redisUri)
                  .telling(Way.closing(vertx, own))
                  .watchedBy(metrics.map(Metrics::redis).orElse(RedisObserver.NONE)),
              new Keys(settings.redis().prefix(), settings.partitions()),
              nodeId,
              clock,
              new HistoryBounds(
                  settings.history().entries(),
                  settings.history().age(),
                  settings.history().bytes()),
              settings.jobs().keepFinished(),
              new AuditBounds(
                  settings.audit().entries(),
                  settings.audit().definitionBytes(),
                  settings.audit().newDefinitions()));
    }

    /** From now on lines in JSON name the node. */
    private static void tellLog(String node) {
      if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
        context.putProperty(JsonLines.NODE, node);
      }
    }

    /**
     * An embedded Redis has one node, whose claims are its own also after a crash; elsewhere a new
     * id cannot be in use.
     */
    private String nodeId() {
      if (!settings.node().id().isEmpty()) {
        return settings.node().id();
      }
      return embedded
          ? "local"
          : hostName() + "-" + Long.toHexString(ThreadLocalRandom.current().nextLong(1L << 40));
    }

    private static String hostName() {
      try {
        return InetAddress.getLocalHost().getHostName().replaceAll("[^A-Za-z0-9._-]", "-");
      } catch (UnknownHostException e) {
        return "node";
      }
    }

    Future<App> run() {
      return prepare()
          .compose(ready -> loops.over(vertx, VertxOptions.DEFAULT_EVENT_LOOP_POOL_SIZE))
          .compose(ready -> deployDispatchers())
          // Before the timer: a node whose port is taken must not have claimed anything.
          .compose(ready -> deployApi())
          .compose(ready -> deployTimer())
          .compose(ready -> deployRotation())
          .compose(ready -> deployActivity())
          .map(
              ready -> {
                App app = new App(this);
                unsafe.forEach(finding -> LOG.atWarn().log("unsafe: {}", finding));
                logSummary();
                return app;
              });
    }

    /** Checks what Redis says of itself before anything is started on it. */
    private Future<Void> prepare() {
      return vertx
          .executeBlocking(
              () -> {
                tls.ifPresent(files -> files.check(vertx));
                return Way.out(settings, own);
              })
          .compose(
              open -> {
                way = open;
                Admittance.check(settings, way.listening());
                return storage.openForClients(vertx);
              })
          .compose(this::establish);
    }

    private Future<Void> establish(Stores stores) {
      return stores
          .nodes()
          .tellTime()
          .compose(told -> stores.meta().describe())
          .map(this::sufficient)
          .compose(server -> stores.meta().establish(clock.instant()))
          .compose(same -> selfCheck(stores))
          .compose(checked -> firstCollection(stores))
          .compose(made -> somebodyMayEnter(stores))
          .eventually(() -> stores.link().close());
    }

    private Future<Void> selfCheck(Stores stores) {
      return vertx
          .executeBlocking(() -> SelfCheck.findings(settings))
          .compose(
              ofSettings ->
                  new ServerSafety(stores.link())
                      .findings()
                      .map(
                          ofRedis -> {
                            unsafe = Stream.concat(ofSettings.stream(), ofRedis.stream()).toList();
                            return null;
                          }));
    }

    /** Settings are checked at every connection; whether replicas are there, now and here. */
    private Meta.Server sufficient(Meta.Server server) {
      if (settings.redis().durability() == RedisSettings.Durability.REPLICA
          && server.replicas() == 0) {
        throw new IllegalStateException(
            "Redis cannot give redis.durability = replica: a master has no replica that follows it");
      }
      redis = server;
      return server;
    }

    private Future<Void> firstCollection(Stores stores) {
      String first = settings.collections().first();
      return first.isEmpty()
          ? Future.succeededFuture()
          : stores.meta().firstCollection(stores.collections(), first, clock.instant());
    }

    /** Else nobody could ever make the first key. */
    private Future<Void> somebodyMayEnter(Stores stores) {
      return !Admittance.needsKey(settings, operator)
          ? Future.succeededFuture()
          : stores
              .apiKeys()
              .byId()
              .map(found -> Admittance.requireAdmin(found.values(), clock.instant()));
    }

    private Future<Void> deployDispatchers() {
      if (!settings.node().has(NodeSettings.Role.TIMER_DISPATCH)) {
        return Future.succeededFuture();
      }
      DispatcherVerticle.Config config =
          new DispatcherVerticle.Config(
              settings.dispatch(),
              settings.queues(),
              settings.retry(),
              settings.oauth(),
              settings.node().stopGrace(),
              "Carillon/" + Version.current(),
              keys.vault(),
              way.policy());
      DispatchObserver observer =
          observed(metrics.map(Metrics::dispatch).orElse(DispatchObserver.NONE), Tracing::over);
      return deploy(() -> new DispatcherVerticle(storage, clock, lease, config, observer))
          .map(
              id -> {
                dispatcherId = Optional.of(id);
                return null;
              });
    }

    private Future<Void> deployTimer() {
      timer =
          new TimerVerticle(
              storage,
              clock,
              lease,
              new TimerVerticle.Config(
                  settings.timer(),
                  settings.node(),
                  settings.dispatch(),
                  nodeId,
                  Version.current(),
                  settings.partitions(),
                  embedded),
              observed(metrics.map(Metrics::timer).orElse(TimerObserver.NONE), Tracing::over));
      return vertx
          .deployVerticle(timer)
          .map(
              id -> {
                timerId = id;
                return null;
              });
    }

    /** Only where something may be under an older key. */
    private Future<Void> deployRotation() {
      return keys.vault().hasOlderKeys()
          ? vertx.deployVerticle(new RotationVerticle(storage, keys.vault())).mapEmpty()
          : Future.succeededFuture();
    }

    /** Where something is counted. */
    private Future<Void> deployActivity() {
      return metrics.isPresent() && settings.node().has(NodeSettings.Role.TIMER_DISPATCH)
          ? vertx
              .deployVerticle(new ActivityVerticle(storage, clock, metrics.get()::activity))
              .mapEmpty()
          : Future.succeededFuture();
    }

    /** Traced as well, where that is asked for. */
    private <T> T observed(T observer, BiFunction<Tracing, T, T> over) {
      return tracing.map(on -> over.apply(on, observer)).orElse(observer);
    }

    private Future<Void> deployApi() {
      ApiSettings api = apiSettings();
      health = health();
      Throttle throttle = throttle();
      ApiObserver observer =
          observed(metrics.map(Metrics::api).orElse(ApiObserver.NONE), Tracing::over);
      Doors doors = doors();
      List<ApiVerticle> verticles = new CopyOnWriteArrayList<>();
      // One deployment, so that all instances share the port also when any free one is asked for.
      return deploy(
              () -> {
                ApiVerticle verticle =
                    new ApiVerticle(
                        storage,
                        clock,
                        api,
                        health,
                        throttle,
                        doors,
                        observer,
                        metrics.map(Exposition.class::cast));
                verticles.add(verticle);
                return verticle;
              })
          .map(
              id -> {
                apiId = id;
                port = verticles.get(0).port();
                own.add(settings.http().host(), way.listening(), port);
                return verticles.get(0);
              })
          .compose(
              first ->
                  tls.isPresent()
                      ? CertificateWatch.over(vertx, tls.get(), first)
                      : Future.succeededFuture());
    }

    private NodeHealth health() {
      return new NodeHealth(
          lease,
          loops,
          clock,
          InstantSource.system(),
          new DurabilityWatch(settings.redis().durability(), redis, System::nanoTime),
          keys.areThere(),
          () -> Map.of("durability", durability(), "node", nodeId));
    }

    /** The level that is enforced, or what was found at the start where none is. */
    private String durability() {
      RedisSettings.Durability level = settings.redis().durability();
      return level == RedisSettings.Durability.ANY
          ? redis.durability()
          : level.name().toLowerCase(Locale.ROOT);
    }

    private String topology() {
      return switch (settings.redis().mode()) {
        case STANDALONE -> embedded ? " (embedded)" : "";
        case SENTINEL -> " (sentinel, " + redis.replicas() + " replicas)";
        case CLUSTER -> " (cluster, " + redis.masters() + " masters)";
      };
    }

    private ApiSettings apiSettings() {
      LimitsSettings limits = settings.limits();
      return new ApiSettings(
          settings.node().has(NodeSettings.Role.API),
          Version.current(),
          settings.http().host(),
          settings.http().port(),
          settings.http().maxBody(),
          settings.http().idleTimeout(),
          new Limits(
              limits.jobBytes(),
              limits.uri(),
              limits.headers(),
              limits.headerBytes(),
              limits.body(),
              limits.horizon(),
              settings.retry().minInterval()),
          settings.dispatch().region(),
          keys.vault(),
          way.policy()::objection,
          Admittance.of(settings, operator),
          tls);
    }

    private Throttle throttle() {
      ArmSettings arm = settings.arm();
      return new Throttle(
          new Throttle.Limits(
              arm.writesPerHour(), arm.readsPerHour(), arm.burstWrites(), arm.burstReads()));
    }

    private Doors doors() {
      HttpSettings http = settings.http();
      return new Doors(
          new Doors.Limits(
              http.maxConnections(),
              http.maxConnectionsPerAddress(),
              settings.rates().perCaller(),
              settings.rates().perCollection(),
              http.maxLag(),
              http.jobsMayWrite(),
              Admittance.names(settings)));
    }

    /** One instance for each processor. */
    private Future<String> deploy(Supplier<? extends Deployable> verticle) {
      int instances = Runtime.getRuntime().availableProcessors();
      return vertx.deployVerticle(verticle, new DeploymentOptions().setInstances(instances));
    }

    private void logSummary() {
      LOG.atInfo()
          .addKeyValue("version", Version.current())
          .addKeyValue("redis", redis.version() + topology())
          .addKeyValue("durability", durability())
          .addKeyValue("partitions", settings.partitions())
          .addKeyValue("node", nodeId)
          .addKeyValue("roles", settings.node().roles())
          .addKeyValue("secrets", keys.origin())
          .addKeyValue("targets", way.describe())
          .addKeyValue("access", Admittance.describe(settings, operator))
          .log(
              "Carillon is listening on {}://{}:{}",
              tls.isPresent() ? "https" : "http",
              settings.http().host(),
              port);
    }
  }
}
