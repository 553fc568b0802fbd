package carillon;

import carillon.config.Settings;
import carillon.egress.OwnPlaces;
import carillon.loops.LoopWatch;
import carillon.store.Lease;
import carillon.store.RedisClock;
import carillon.store.RedisSetup;
import carillon.store.Storage;
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
 * @param storage how each part reaches Redis
 */
record NodeContext(
    Vertx vertx,
    int eventLoops,
    Settings settings,
    boolean embedded,
    String id,
    SealingKeys keys,
    OperatorKey operator,
    RedisClock clock,
    Lease lease,
    OwnPlaces own,
    Observation observation,
    LoopWatch loops,
    Storage storage) {

  /** Connects to nothing yet; reads the file with Redis' password, if there is one: blocks. */
  static NodeContext of(
      Vertx vertx,
      int eventLoops,
      Settings settings,
      List<URI> redisUri,
      boolean embedded,
      SealingKeys keys,
      OperatorKey operator) {
    String id = NodeName.of(settings, embedded);
    NodeName.tellLog(id);
    RedisClock clock = new RedisClock(System::nanoTime);
    OwnPlaces own = new OwnPlaces();
    Observation observation = Observation.of(settings, id, clock);
    RedisSetup redis =
        RedisSetups.of(settings.redis(), redisUri)
            .telling(Way.closing(vertx, own))
            .watchedBy(observation.redis());
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
        new LoopWatch(System::nanoTime, observation.loops()),
        Storages.of(settings, redis, id, clock, Storages.audit(settings)));
  }

  private static Lease lease(Settings settings) {
    return new Lease(
        System::nanoTime, settings.node().lease(), settings.node().heartbeat().dividedBy(2));
  }
}
