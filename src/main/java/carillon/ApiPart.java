package carillon;

import carillon.api.ApiObserver;
import carillon.api.ApiSettings;
import carillon.api.ApiVerticle;
import carillon.api.Doors;
import carillon.api.ServerTls;
import carillon.api.Throttle;
import carillon.codec.Limits;
import carillon.config.ArmSettings;
import carillon.config.HttpSettings;
import carillon.config.LimitsSettings;
import carillon.config.NodeSettings;
import carillon.config.Settings;
import carillon.job.Destination;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** The API of a node: what it is told, and what its instances share. */
final class ApiPart {
  private final NodeContext node;
  private final Settings settings;
  private final StartCheck.Found found;
  private final NodeHealth health;
  private final Optional<ServerTls> tls;
  private final Deployment verticles;
  private final List<ApiVerticle> instances = new CopyOnWriteArrayList<>();

  ApiPart(NodeContext node, StartCheck.Found found) {
    this.node = node;
    this.settings = node.settings();
    this.found = found;
    this.health = health();
    this.tls = CertificateWatch.files(settings.http().tls());
    this.verticles = new Deployment(node);
  }

  /** The port that the API listens on, once it does. */
  int port() {
    return instances.get(0).port();
  }

  Future<Void> deploy() {
    ApiSettings api = apiSettings();
    Throttle throttle = throttle();
    Doors doors = doors();
    ApiObserver observer = node.observation().api();
    // One deployment, so that all instances share the port also when any free one is asked for.
    return verticles
        .deployOnAll(
            () -> {
              ApiVerticle verticle =
                  new ApiVerticle(
                      node.storage(),
                      node.clock(),
                      api,
                      health,
                      throttle,
                      doors,
                      observer,
                      node.observation().exposition());
              instances.add(verticle);
              return verticle;
            })
        .compose(deployed -> listening());
  }

  private Future<Void> listening() {
    node.own().add(settings.http().host(), found.way().listening(), port());
    return tls.isPresent()
        ? CertificateWatch.over(node.vertx(), tls.get(), instances.get(0))
        : Future.succeededFuture();
  }

  /** Tells who asks for its health that this node is to get no work from now on. */
  void stopping() {
    health.stopping();
  }

  /** Refuses from now on. Does not fail. */
  Future<Void> undeploy() {
    return verticles.undeploy();
  }

  private NodeHealth health() {
    Map<String, String> facts = Map.of("durability", found.durability(), "node", node.id());
    return new NodeHealth(
        node.lease(),
        node.loops(),
        node.clock(),
        InstantSource.system(),
        new DurabilityWatch(settings.redis().durability(), found.redis(), System::nanoTime),
        node.keys().areThere(),
        () -> facts);
  }

  private ApiSettings apiSettings() {
    return new ApiSettings(
        settings.node().has(NodeSettings.Role.API),
        Version.current(),
        settings.http().host(),
        settings.http().port(),
        settings.http().maxBody(),
        settings.http().idleTimeout(),
        limits(),
        settings.dispatch().region(),
        node.keys().vault(),
        this::objection,
        Admittance.of(settings, node.operator()),
        tls);
  }

  private Optional<String> objection(String host, int port) {
    boolean isOff =
        !settings.queues().redis() && Destination.OWN_QUEUES.equals(new Destination(host, port));
    return isOff
        ? Optional.of("queues in Redis are switched off here (queues.redis)")
        : found.way().policy().objection(host, port);
  }

  private Limits limits() {
    LimitsSettings limits = settings.limits();
    return new Limits(
        limits.jobBytes(),
        limits.uri(),
        limits.headers(),
        limits.headerBytes(),
        limits.body(),
        limits.horizon(),
        settings.retry().minInterval());
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
}
