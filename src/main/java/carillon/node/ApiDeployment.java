package carillon.node;

import carillon.api.ApiVerticle;
import carillon.api.http.AdmissionLimits;
import carillon.api.http.ApiObserver;
import carillon.api.http.ApiSettings;
import carillon.api.http.ArmRateLimiter;
import carillon.api.http.ServerTls;
import carillon.config.ArmSettings;
import carillon.config.HttpSettings;
import carillon.config.LimitsSettings;
import carillon.config.NodeSettings;
import carillon.config.Settings;
import carillon.job.Destination;
import carillon.json.SubmissionLimits;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** The API of a node: what it is told, and what its instances share. */
final class ApiDeployment {
  private final NodeContext node;
  private final Settings settings;
  private final StartupValidation.Found found;
  private final NodeHealth health;
  private final Optional<ServerTls> tls;
  private final VerticleGroup verticles;
  private final List<ApiVerticle> instances = new CopyOnWriteArrayList<>();

  ApiDeployment(NodeContext node, StartupValidation.Found found) {
    this.node = node;
    this.settings = node.settings();
    this.found = found;
    this.health = health();
    this.tls = TlsCertificateReloader.files(settings.http().tls());
    this.verticles = new VerticleGroup(node);
  }

  /** The port that the API listens on, once it does. */
  int port() {
    return instances.get(0).port();
  }

  Future<Void> deploy() {
    ApiSettings api = apiSettings();
    ArmRateLimiter throttle = throttle();
    AdmissionLimits admission = doors();
    ApiObserver observer = node.observation().api();
    // One deployment, so that all instances share the port also when any free one is asked for.
    return verticles
        .deployOnAll(
            () -> {
              ApiVerticle verticle =
                  new ApiVerticle(
                      node.storeFactory(),
                      node.clock(),
                      api,
                      health,
                      throttle,
                      admission,
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
        ? TlsCertificateReloader.over(node.vertx(), tls.get(), instances.get(0))
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
        new DurabilityHealthCheck(settings.redis().durability(), found.redis(), System::nanoTime),
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
        AccessSetup.of(settings, node.operator()),
        tls);
  }

  private Optional<String> objection(String host, int port) {
    boolean isOff =
        !settings.queues().redis() && Destination.OWN_QUEUES.equals(new Destination(host, port));
    return isOff
        ? Optional.of("queues in Redis are switched off here (queues.redis)")
        : found.way().policy().objection(host, port);
  }

  private SubmissionLimits limits() {
    LimitsSettings limits = settings.limits();
    return new SubmissionLimits(
        limits.jobBytes(),
        limits.uri(),
        limits.headers(),
        limits.headerBytes(),
        limits.body(),
        limits.horizon(),
        settings.retry().minInterval());
  }

  private ArmRateLimiter throttle() {
    ArmSettings arm = settings.arm();
    return new ArmRateLimiter(
        new ArmRateLimiter.Limits(
            arm.writesPerHour(), arm.readsPerHour(), arm.burstWrites(), arm.burstReads()));
  }

  private AdmissionLimits doors() {
    HttpSettings http = settings.http();
    return new AdmissionLimits(
        new AdmissionLimits.Limits(
            http.maxConnections(),
            http.maxConnectionsPerAddress(),
            settings.rates().perCaller(),
            settings.rates().perCollection(),
            http.maxLag(),
            http.jobsMayWrite(),
            AccessSetup.names(settings)));
  }
}
