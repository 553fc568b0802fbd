package carillon.node;

import carillon.api.console.LiveEventPublisher;
import carillon.bus.TimeControl;
import carillon.config.NodeSettings;
import carillon.config.Settings;
import carillon.dispatch.DispatchOptions;
import carillon.dispatch.DispatcherVerticle;
import carillon.dispatch.call.DispatchObserver;
import carillon.dispatch.egress.EgressPolicy;
import carillon.observe.metrics.ActivityRecorder;
import carillon.observe.metrics.Metrics;
import carillon.timer.TimerVerticle;
import carillon.timer.VirtualTime;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * Deployment of the engine of a node: the dispatchers, the timer that gives them work, and the
 * background verticles. A node without calls has a timer too, which reports that the node is alive.
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
    DispatchOptions config =
        new DispatchOptions(settings, "Carillon/" + Version.current(), node.keys().vault(), policy);
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

  /** Returns the control of a virtual clock; empty for a real clock. */
  Optional<TimeControl> timeControl() {
    return virtualTime.map(time -> time);
  }

  private TimerVerticle timer() {
    TimerVerticle.Config config =
        new TimerVerticle.Config(settings, node.id(), Version.current(), node.embedded(), true);
    return new TimerVerticle(
        node.storeFactory(), node.clock(), node.lease(), config, node.telemetry().timer());
  }

  /** Deploys the background verticles. No start waits for them, and they end with Vert.x. */
  Future<Void> deployBackground() {
    return deployKeyRotation()
        .compose(ready -> deployActivity())
        .compose(ready -> deployLiveEvents());
  }

  /** Deploys the key rotation, only if something may be sealed under an older key. */
  private Future<Void> deployKeyRotation() {
    return node.keys().vault().hasOlderKeys()
        ? node.vertx()
            .deployVerticle(new KeyRotationVerticle(node.storeFactory(), node.keys().vault()))
            .mapEmpty()
        : Future.succeededFuture();
  }

  /** Deploys the recorder of activity, if metrics are counted. */
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

  /** Deploys the publisher of live events, if there may be other nodes. */
  private Future<Void> deployLiveEvents() {
    return isWorker() && !node.embedded()
        ? node.vertx().deployVerticle(new LiveEventPublisher(node.storeFactory())).mapEmpty()
        : Future.succeededFuture();
  }

  private boolean isWorker() {
    return settings.node().has(NodeSettings.NodeRole.TIMER_DISPATCH);
  }

  /**
   * Stops claiming, lets attempts in flight end, and removes the node from the list of nodes unless
   * it leaves claims behind.
   */
  Future<Void> stop() {
    return (timers.isDeployed() ? timer.quiesce() : Future.<Void>succeededFuture())
        .compose(quiet -> dispatchers.undeploy())
        .compose(drained -> timers.undeploy());
  }
}
