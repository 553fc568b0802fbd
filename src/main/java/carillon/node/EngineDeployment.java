package carillon.node;

import carillon.api.console.LiveEventPublisher;
import carillon.bus.TimeControl;
import carillon.config.NodeSettings;
import carillon.config.Settings;
import carillon.dispatch.DispatchObserver;
import carillon.dispatch.DispatcherVerticle;
import carillon.dispatch.egress.EgressPolicy;
import carillon.observe.metrics.ActivityRecorder;
import carillon.observe.metrics.Metrics;
import carillon.timer.TimerVerticle;
import carillon.timer.VirtualTime;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * Deployment of the engine of a node: the dispatchers, the timer that gives them work, and the
 * background verticles. A node that makes no calls has a timer too, which says that it is there.
 */
final class EngineDeployment {
  private final NodeContext node;
  private final Settings settings;
  private final EgressPolicy policy;
  private final VerticleGroup dispatchers;
  private final VerticleGroup timers;
  private final TimerVerticle timer;
  private final Optional<VirtualTime> virtualTime;

  EngineDeployment(NodeContext node, EgressPolicy policy) {
    this.node = node;
    this.settings = node.settings();
    this.policy = policy;
    this.dispatchers = new VerticleGroup(node);
    this.timers = new VerticleGroup(node);
    this.timer = timer();
    this.virtualTime =
        node.virtualClock().map(clock -> new VirtualTime(node.storeFactory(), clock, timer));
  }

  Future<Void> deployDispatchers() {
    if (!isWorker()) {
      return Future.succeededFuture();
    }
    DispatcherVerticle.Config config =
        new DispatcherVerticle.Config(
            settings, "Carillon/" + Version.current(), node.keys().vault(), policy);
    DispatchObserver observer = node.telemetry().dispatch();
    return dispatchers.deployOnAll(
        () ->
            new DispatcherVerticle(
                node.storeFactory(), node.clock(), node.lease(), config, observer));
  }

  Future<Void> deployTimer() {
    return timers
        .deploy(timer)
        .compose(
            deployed ->
                virtualTime.isPresent()
                    ? timers.deploy(virtualTime.get())
                    : Future.succeededFuture());
  }

  /** Who sets the clock forward, where it is a virtual one. */
  Optional<TimeControl> timeControl() {
    return virtualTime.map(time -> time);
  }

  private TimerVerticle timer() {
    TimerVerticle.Config config =
        new TimerVerticle.Config(settings, node.id(), Version.current(), node.embedded());
    return new TimerVerticle(
        node.storeFactory(), node.clock(), node.lease(), config, node.telemetry().timer());
  }

  /** What nobody waits for, and what ends with Vert.x. */
  Future<Void> deployBackground() {
    return deployKeyRotation()
        .compose(ready -> deployActivity())
        .compose(ready -> deployLiveEvents());
  }

  /** Only where something may be under an older key. */
  private Future<Void> deployKeyRotation() {
    return node.keys().vault().hasOlderKeys()
        ? node.vertx()
            .deployVerticle(new KeyRotationVerticle(node.storeFactory(), node.keys().vault()))
            .mapEmpty()
        : Future.succeededFuture();
  }

  /** Where something is counted. */
  private Future<Void> deployActivity() {
    Optional<Metrics> metrics = node.telemetry().metrics();
    return metrics.isPresent() && isWorker()
        ? node.vertx()
            .deployVerticle(
                new ActivityRecorder(
                    node.storeFactory(),
                    node.clock(),
                    metrics.get()::activity,
                    metrics.get()::destinations))
            .mapEmpty()
        : Future.succeededFuture();
  }

  /** Where there may be other nodes. */
  private Future<Void> deployLiveEvents() {
    return isWorker() && !node.embedded()
        ? node.vertx().deployVerticle(new LiveEventPublisher(node.storeFactory())).mapEmpty()
        : Future.succeededFuture();
  }

  private boolean isWorker() {
    return settings.node().has(NodeSettings.NodeRole.TIMER_DISPATCH);
  }

  /** Claims no more, lets attempts in flight end, and says goodbye. */
  Future<Void> stop() {
    return (timers.isDeployed() ? timer.quiesce() : Future.<Void>succeededFuture())
        .compose(quiet -> dispatchers.undeploy())
        .compose(drained -> timers.undeploy());
  }
}
