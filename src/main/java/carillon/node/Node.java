package carillon.node;

import carillon.bus.Messages;
import carillon.config.Settings;
import carillon.secret.SecretException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.dns.AddressResolverOptions;
import java.net.URI;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node: starts its parts in order and stops them in reverse: the API refuses, the timer claims no
 * more, attempts in flight end, the node says goodbye. How each part is wired is told by {@link
 * ApiDeployment} and {@link EngineDeployment}, what they share by {@link NodeContext}.
 */
public final class Node {
  private static final Logger LOG = LoggerFactory.getLogger(Node.class);

  /** Names that jobs call are many; none is kept for longer than this, whatever its owner says. */
  private static final int NAMES_KEPT_SECONDS = 60;

  private final NodeContext node;
  private final ApiDeployment api;
  private final EngineDeployment engine;

  private Node(NodeContext node, StartupValidation.Found found) {
    this.node = node;
    this.api = new ApiDeployment(node, found);
    this.engine = new EngineDeployment(node, found.way().policy());
  }

  /** The port that the API listens on. */
  public int port() {
    return api.port();
  }

  /**
   * Starts a node. Fails with an exception whose message is one clear line for an operator.
   *
   * @param redisUri of the Redis to use; several in modes sentinel and cluster
   * @param embedded whether that Redis is this process's own, so that no other node can be on it
   */
  public static Future<Node> start(Settings settings, List<URI> redisUri, boolean embedded) {
    EncryptionKeys keys;
    AdminKey operator;
    try {
      keys = EncryptionKeys.of(settings, embedded);
      operator = AdminKey.of(settings, embedded);
    } catch (SecretException e) {
      return Future.failedFuture(e);
    }
    int eventLoops = eventLoops(embedded);
    Vertx vertx = vertx(eventLoops);
    // Bound to no event loop, like that of stop.
    Promise<Node> started = Promise.promise();
    start(NodeContext.of(vertx, eventLoops, settings, redisUri, embedded, keys, operator))
        .onSuccess(started::complete)
        .onFailure(failure -> vertx.close().onComplete(closed -> started.fail(failure)));
    return started.future();
  }

  /**
   * One for each processor, with an instance of the API and of the dispatcher on each; the embedded
   * Redis has a processor to itself. More would only take turns: they wake each other, send less at
   * a time to Redis, and drive what it works on out of the caches.
   */
  private static int eventLoops(boolean embedded) {
    int processors = Runtime.getRuntime().availableProcessors();
    return embedded ? Math.max(1, processors - 1) : processors;
  }

  private static Vertx vertx(int eventLoops) {
    Vertx vertx =
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(eventLoops)
                .setAddressResolverOptions(
                    new AddressResolverOptions().setCacheMaxTimeToLive(NAMES_KEPT_SECONDS)));
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
              return app.deploy()
                  .map(
                      ready -> {
                        StartupLog.log(node, found, app.port());
                        return app;
                      });
            });
  }

  private Future<Void> deploy() {
    return node.loops()
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
    api.stopping();
    // Bound to no event loop: those are gone when Vert.x is closed, and would not complete it.
    Promise<Void> stopped = Promise.promise();
    api.undeploy()
        .compose(refused -> engine.stop())
        .compose(ended -> node.observation().stop())
        .onComplete(done -> node.vertx().close().onComplete(closed -> stopped.complete()));
    return stopped.future().onSuccess(done -> LOG.atInfo().log("stopped"));
  }
}
