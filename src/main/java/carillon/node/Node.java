package carillon.node;

import carillon.api.edge.AcceptLimit;
import carillon.bus.Messages;
import carillon.config.Settings;
import carillon.config.Settings.EgressSettings.Loopback;
import carillon.json.schedule.TimeZoneNames;
import carillon.node.NodeLifecycle.NodePhase;
import carillon.redis.route.RedisErrors;
import carillon.secret.SecretException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.dns.AddressResolverOptions;
import io.vertx.core.file.FileSystemOptions;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Running node. It starts its parts in order and stops them in reverse: the API refuses, the timer
 * claims no more, attempts in flight end, the node leaves the members. {@link ApiDeployment} and
 * {@link EngineDeployment} wire the parts; {@link NodeContext} has their shared state.
 */
public final class Node {
  private static final Logger LOG = LoggerFactory.getLogger(Node.class);

  /**
   * Maximum TTL of a name. Jobs call many names, so none is kept for longer, regardless of its TTL.
   */
  private static final int MAX_DNS_TTL_SECONDS = 60;

  private final NodeContext node;
  private final ApiDeployment api;
  private final EngineDeployment engine;

  private Node(NodeContext node, StartupValidation.StartupFacts found) {
    this.node = node;
    this.engine = new EngineDeployment(node, found.egress().policy());
    this.api = new ApiDeployment(node, found, engine.timeControl());
  }

  /** The port that the API listens on. */
  public int port() {
    return api.port();
  }

  /**
   * Starts a node. Fails with an exception whose message is one clear line for an operator. If
   * Redis becomes unavailable after a successful check, the start waits for it.
   *
   * @param redisUri of the Redis to use; several in modes sentinel and cluster
   * @param embedded whether that Redis is this process's own, so that no other node can be on it
   */
  public static Future<Node> start(Settings settings, List<URI> redisUri, boolean embedded) {
    return start(settings, redisUri, embedded, new NodeLifecycle());
  }

  /**
   * Starts a node that ends when this lifecycle stops. Fails with a {@link CancellationException}
   * if the stop comes while it waits for Redis.
   */
  static Future<Node> start(
      Settings settings, List<URI> redisUri, boolean embedded, NodeLifecycle lifecycle) {
    NodeKeys keys;
    try {
      keys = NodeKeys.of(settings, embedded);
    } catch (SecretException e) {
      return Future.failedFuture(e);
    }
    int eventLoops =
        EventLoops.count(
            settings.node().eventLoops(),
            embedded || EventLoops.isHere(redisUri),
            Runtime.getRuntime().availableProcessors());
    Vertx vertx = vertx(eventLoops, settings.http().maxNewConnectionsPerAddress());
    // Not bound to an event loop, for the same reason as in stop.
    Promise<Node> started = Promise.promise();
    start(NodeContext.of(lifecycle, vertx, eventLoops, settings, redisUri, embedded, keys))
        .onSuccess(started::complete)
        .onFailure(
            failure ->
                vertx.close().onComplete(closed -> started.fail(reason(failure, lifecycle))));
    return started.future();
  }

  private static Throwable reason(Throwable failure, NodeLifecycle lifecycle) {
    if (!lifecycle.isStopping() || !RedisErrors.isUnavailable(failure)) {
      return failure;
    }
    LOG.atInfo().log("stopped before it had started");
    return new CancellationException("told to stop while it waited for Redis");
  }

  /**
   * Options without a file cache, because nothing is served from files. A killed node leaves no
   * cache behind.
   */
  private static final FileSystemOptions NO_FILE_CACHE =
      new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false);

  private static Vertx vertx(int eventLoops, int maxNewConnections) {
    Vertx vertx =
        Vertx.builder()
            .with(
                new VertxOptions()
                    .setEventLoopPoolSize(eventLoops)
                    .setFileSystemOptions(NO_FILE_CACHE)
                    .setAddressResolverOptions(
                        new AddressResolverOptions().setCacheMaxTimeToLive(MAX_DNS_TTL_SECONDS)))
            .withTransport(new AcceptLimit(maxNewConnections, System::nanoTime).transport())
            .build();
    vertx.exceptionHandler(HeapPressure::ended);
    Messages.register(vertx.eventBus());
    return vertx;
  }

  private static Future<Node> start(NodeContext node) {
    return new StartupValidation(node)
        .run()
        .compose(
            found -> {
              Node app = new Node(node, found);
              node.lifecycle().enter(NodePhase.DEPLOYING);
              return app.deploy()
                  .recover(
                      failure -> app.undeploy().transform(ended -> Future.failedFuture(failure)))
                  .map(
                      ready -> {
                        node.lifecycle().enter(NodePhase.RUNNING);
                        app.logStart(found);
                        return app;
                      });
            });
  }

  /** Logs the unsafe settings, then the start line. */
  private void logStart(StartupValidation.StartupFacts found) {
    Settings settings = node.settings();
    found.unsafe().forEach(finding -> LOG.atWarn().log("unsafe: {}", finding));
    if (settings.egress().loopback() == Loopback.AUTO && !found.egress().loopback()) {
      LOG.atInfo().log(
          "jobs may not call this machine: that is for a first trial, with the embedded Redis"
              + " and an open API on loopback; CARILLON_EGRESS_LOOPBACK=allow permits it");
    }
    LOG.atInfo()
        .addKeyValue("version", Version.current())
        .addKeyValue("tzdata", TimeZoneNames.version())
        .addKeyValue("redis", found.redis().version() + topology(found))
        .addKeyValue("durability", found.durability())
        .addKeyValue("partitions", settings.partitions())
        .addKeyValue("node", node.id())
        .addKeyValue("roles", settings.node().roles())
        .addKeyValue("secrets", node.keys().vaultOrigin())
        .addKeyValue("targets", found.egress().describe())
        .addKeyValue("access", access())
        .addKeyValue("clock", clock())
        .log(
            "Carillon is listening on {}://{}:{}",
            settings.http().tls().isEnabled() ? "https" : "http",
            settings.http().host(),
            port());
  }

  private String topology(StartupValidation.StartupFacts found) {
    return switch (node.settings().redis().mode()) {
      case STANDALONE -> node.embedded() ? " (embedded)" : "";
      case SENTINEL -> " (sentinel, " + found.redis().replicas() + " replicas)";
      case CLUSTER -> " (cluster, " + found.redis().masters() + " masters)";
    };
  }

  private String clock() {
    return node.virtualClock()
        .map(virtual -> "virtual, stands at " + virtual.instant())
        .orElse("real");
  }

  private String access() {
    if (!node.settings().access().isRequired()) {
      return "open to everybody who can reach it";
    }
    String proofs =
        node.settings().access().accept().stream()
            .map(proof -> proof.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
    return node.keys().operator().isEmpty()
        ? proofs
        : proofs + ", key of the operator in " + node.keys().operatorOrigin();
  }

  private Future<Void> deploy() {
    return node.telemetry()
        .loops()
        .over(node.vertx(), node.eventLoops())
        .compose(ready -> engine.deployDispatchers())
        // Before the timer: a node whose port is taken must not have claimed anything.
        .compose(ready -> api.deploy())
        .compose(ready -> engine.deployTimer())
        .compose(ready -> engine.deployBackground());
  }

  /** Stops gracefully; does not fail. */
  public Future<Void> stop() {
    LOG.atInfo().log("stopping");
    node.lifecycle().enter(NodePhase.STOPPING);
    // Not bound to an event loop: none is left to complete it after Vert.x has closed.
    Promise<Void> stopped = Promise.promise();
    undeploy().onComplete(done -> node.vertx().close().onComplete(closed -> stopped.complete()));
    return stopped.future().onSuccess(done -> LOG.atInfo().log("stopped"));
  }

  /** Undeploys all parts, in the order of a stop. */
  private Future<Void> undeploy() {
    return api.undeploy()
        .compose(refused -> engine.stop())
        .compose(ended -> node.telemetry().stop());
  }
}
