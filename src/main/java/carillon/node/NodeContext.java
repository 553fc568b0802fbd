package carillon.node;

import carillon.config.Settings;
import carillon.egress.OwnEndpoints;
import carillon.observe.EventLoopLag;
import carillon.redis.Keys;
import carillon.redis.RedisClock;
import carillon.redis.RedisLinkOptions;
import carillon.store.StoreFactory;
import carillon.store.attempt.Lease;
import io.vertx.core.Vertx;
import java.net.URI;
import java.util.List;

/**
 * What the parts of a node share, made before any of them is started.
 *
 * @param eventLoops of {@code vertx}
 * @param embedded whether Redis is this process's own, so that no other node can be on it
 * @param id of this node
 * @param clock the one clock of this process
 * @param own places of Carillon itself, where no job may call
 * @param observation who is told what happens
 * @param loops the watch over the event loops
 * @param storeFactory how each part reaches Redis
 */
record NodeContext(
    Vertx vertx,
    int eventLoops,
    Settings settings,
    boolean embedded,
    String id,
    EncryptionKeys keys,
    AdminKey operator,
    RedisClock clock,
    Lease lease,
    OwnEndpoints own,
    Telemetry observation,
    EventLoopLag loops,
    StoreFactory storeFactory) {

  /** Connects to nothing yet; reads the file with Redis' password, if there is one: blocks. */
  static NodeContext of(
      Vertx vertx,
      int eventLoops,
      Settings settings,
      List<URI> redisUri,
      boolean embedded,
      EncryptionKeys keys,
      AdminKey operator) {
    String id = NodeId.of(settings, embedded);
    NodeId.tellLog(id);
    RedisClock clock = new RedisClock(System::nanoTime);
    OwnEndpoints own = new OwnEndpoints();
    Telemetry observation = Telemetry.of(settings, id, clock);
    RedisLinkOptions redis =
        RedisLinkOptions.of(settings.redis(), redisUri)
            .telling(EgressSetup.closing(vertx, own), observation.redis());
    return new NodeContext(
        vertx,
        eventLoops,
        settings,
        embedded,
        id,
        keys,
        operator,
        clock,
        lease(settings),
        own,
        observation,
        new EventLoopLag(System::nanoTime, observation.loops()),
        new StoreFactory(
            redis,
            new Keys(settings.redis().prefix(), settings.partitions()),
            id,
            clock,
            settings.history(),
            settings.jobs(),
            settings.audit()));
  }

  private static Lease lease(Settings settings) {
    return new Lease(
        System::nanoTime, settings.node().lease(), settings.node().heartbeat().dividedBy(2));
  }
}
