package carillon.node;

import carillon.api.ApiOptions;
import carillon.api.ApiVerticle;
import carillon.api.dialect.DialectModule;
import carillon.api.edge.AdmissionLimits;
import carillon.api.edge.AllowedHosts;
import carillon.api.edge.ServerTls;
import carillon.api.http.ApiObserver;
import carillon.auth.LoginOptions;
import carillon.bus.TimeControl;
import carillon.config.HttpSettings;
import carillon.config.NodeSettings.NodeRole;
import carillon.config.QueuesSettings;
import carillon.config.Settings;
import carillon.dispatch.egress.EgressPolicy;
import carillon.job.action.Destination;
import carillon.json.action.TargetPolicy;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** Deployment of the API verticles of a node, and their shared state. */
final class ApiDeployment {
  private final NodeContext node;
  private final Settings settings;
  private final StartupValidation.StartupFacts found;
  private final Optional<TimeControl> time;
  private final NodeHealth health;
  private final Optional<ServerTls> tls;
  private final VerticleGroup verticles;
  private final List<ApiVerticle> instances = new CopyOnWriteArrayList<>();

  /**
   * @param time empty if the clock is the real one
   */
  ApiDeployment(
      NodeContext node, StartupValidation.StartupFacts found, Optional<TimeControl> time) {
    this.node = node;
    this.settings = node.settings();
    this.found = found;
    this.time = time;
    this.health = health();
    this.tls = ServerTls.of(settings.http().tls());
    this.verticles = new VerticleGroup(node);
  }

  /** The port that the API listens on, once it does. */
  int port() {
    return instances.get(0).port();
  }

  Future<Void> deploy() {
    ApiOptions options = apiOptions();
    List<DialectModule> dialects = ApiVerticle.dialects(settings.arm());
    AdmissionLimits admission =
        new AdmissionLimits(
            settings.http(),
            settings.rates().where(!settings.access().accept().isEmpty()),
            names(settings));
    ApiObserver observer = node.telemetry().api();
    // One deployment, so that all instances share the port even if port 0 asks for a free one.
    return verticles
        .deployOnAll(
            () -> {
              ApiVerticle verticle =
                  new ApiVerticle(
                      node.storeFactory(),
                      node.clock(),
                      options,
                      health,
                      dialects,
                      admission,
                      observer,
                      node.telemetry().exposition(),
                      time);
              instances.add(verticle);
              return verticle;
            })
        .compose(deployed -> listening());
  }

  private Future<Void> listening() {
    node.own().add(settings.http().host(), found.egress().listening(), port());
    return tls.isPresent()
        ? TlsCertificateReloader.over(node.vertx(), tls.get(), instances.get(0))
        : Future.succeededFuture();
  }

  /** Refuses from now on. Does not fail. */
  Future<Void> undeploy() {
    return verticles.undeploy();
  }

  private NodeHealth health() {
    Map<String, String> facts = new TreeMap<>();
    facts.put("durability", found.durability());
    facts.put("node", node.id());
    node.virtualClock().ifPresent(virtual -> facts.put("clock", "virtual"));
    return new NodeHealth(
        node.lifecycle(),
        node.lease(),
        node.telemetry().loops(),
        node.clock(),
        node.virtualClock().<InstantSource>map(clock -> clock).orElse(InstantSource.system()),
        new NodeHealth.DurabilityCheck(
            settings.redis().durability(), found.redis(), System::nanoTime),
        settings.node().has(NodeRole.TIMER_DISPATCH),
        node.keys().canSeal(),
        () -> facts);
  }

  private ApiOptions apiOptions() {
    return new ApiOptions(
        settings,
        Version.current(),
        node.keys().vault(),
        targets(found.egress().policy(), settings.queues()),
        LoginOptions.of(settings.access(), node.keys().operator())
            .withSignIn(settings.console().signIn()),
        tls);
  }

  /**
   * Returns the targets that egress allows to jobs. Carillon's own queues are left out if they are
   * switched off.
   */
  private static TargetPolicy targets(EgressPolicy egress, QueuesSettings queues) {
    return queues.redis()
        ? egress::objection
        : (host, port) ->
            Destination.OWN_QUEUES.equals(new Destination(host, port))
                ? Optional.of("queues in Redis are switched off here (queues.redis)")
                : egress.objection(host, port);
  }

  /**
   * Returns the names under which the API may be requested. Without authentication, the address is
   * a loopback address unless the operator asked for more; {@link StartupValidation} ensures that.
   */
  static AllowedHosts names(Settings settings) {
    HttpSettings http = settings.http();
    return settings.access().isRequired() || settings.access().unprotected()
        ? AllowedHosts.any()
        : AllowedHosts.loopbackAnd(
            Stream.concat(http.names().stream(), Stream.of(http.host())).toList());
  }
}
