package carillon.node;

import carillon.config.Settings;
import carillon.config.Settings.ClockSettings;
import carillon.dispatch.egress.OwnEndpoints;
import carillon.observe.JsonLogEncoder;
import carillon.observe.Telemetry;
import carillon.redis.Keys;
import carillon.redis.RedisClock;
import carillon.redis.SharedClock;
import carillon.redis.VirtualClock;
import carillon.redis.route.RedisLinkOptions;
import carillon.store.StoreFactory;
import carillon.store.attempt.Lease;
import ch.qos.logback.classic.LoggerContext;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.LoggerFactory;

/**
 * Shared collaborators of the parts of a node, made before any part starts.
 *
 * @param lifecycle phase of the node
 * @param eventLoops number of event loops of {@code vertx}
 * @param embedded whether Redis is this process's own, so that no other node can be on it
 * @param own places of Carillon itself, which no job may call
 * @param telemetry receives all events
 * @param storeFactory makes the stores of each part
 */
record NodeContext(
    NodeLifecycle lifecycle,
    Vertx vertx,
    int eventLoops,
    Settings settings,
    boolean embedded,
    NodeKeys keys,
    Lease lease,
    OwnEndpoints own,
    Telemetry telemetry,
    StoreFactory storeFactory) {

  /** Connects to nothing yet; reads the file with Redis' password, if there is one: blocks. */
  static NodeContext of(
      NodeLifecycle lifecycle,
      Vertx vertx,
      int eventLoops,
      Settings settings,
      List<URI> redisUri,
      boolean embedded,
      NodeKeys keys) {
    String id = id(settings, embedded);
    nameInLog(id);
    SharedClock clock = clock(settings.clock());
    OwnEndpoints own = new OwnEndpoints();
    Telemetry telemetry = Telemetry.of(settings, id, Version.current(), clock);
    RedisLinkOptions redis =
        RedisLinkOptions.of(settings.redis(), redisUri)
            .telling(EgressSetup.closeDiscovered(vertx, own), telemetry.redis())
            .waiting(lifecycle::patience);
    StoreFactory storeFactory =
        new StoreFactory(
            redis,
            new Keys(settings.redis().prefix(), settings.partitions()),
            id,
            clock,
            settings.history(),
            settings.jobs(),
            settings.audit(),
            settings.executions(),
            settings.groups());
    return new NodeContext(
        lifecycle,
        vertx,
        eventLoops,
        settings,
        embedded,
        keys,
        lease(settings),
        own,
        telemetry,
        storeFactory);
  }

  private static SharedClock clock(ClockSettings settings) {
    return settings.isVirtual()
        ? new VirtualClock(settings.start(InstantSource.system().instant()))
        : new RedisClock(System::nanoTime);
  }

  private static Lease lease(Settings settings) {
    return new Lease(
        System::nanoTime, settings.node().lease(), settings.node().heartbeat().dividedBy(2));
  }

  /**
   * The id of this node among the others: that of the settings, or a new one. An embedded Redis has
   * one node, whose claims are its own also after a crash; elsewhere a new id cannot be in use.
   */
  private static String id(Settings settings, boolean embedded) {
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

  /** Adds the name of the node to all later lines in JSON. */
  private static void nameInLog(String id) {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.putProperty(JsonLogEncoder.NODE, id);
    }
  }

  /** The id of this node. */
  String id() {
    return storeFactory.node();
  }

  /** The one clock of this process. */
  SharedClock clock() {
    return storeFactory.clock();
  }

  /** Returns the clock of this process if it is virtual. */
  Optional<VirtualClock> virtualClock() {
    return clock() instanceof VirtualClock virtual ? Optional.of(virtual) : Optional.empty();
  }
}
