package carillon.node;

import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Group of verticles of one kind, which are deployed and undeployed together. */
final class VerticleGroup {
  private static final Logger LOG = LoggerFactory.getLogger(VerticleGroup.class);

  private final Vertx vertx;
  private final int eventLoops;
  private Optional<String> id = Optional.empty();

  VerticleGroup(NodeContext node) {
    this.vertx = node.vertx();
    this.eventLoops = node.eventLoops();
  }

  /** Deploys one instance on each event loop. */
  Future<Void> deployOnAll(Supplier<? extends Deployable> verticle) {
    return deployed(
        vertx.deployVerticle(verticle, new DeploymentOptions().setInstances(eventLoops)));
  }

  Future<Void> deploy(Deployable verticle) {
    return deployed(vertx.deployVerticle(verticle));
  }

  private Future<Void> deployed(Future<String> deployment) {
    return deployment.map(
        given -> {
          id = Optional.of(given);
          return null;
        });
  }

  boolean isDeployed() {
    return id.isPresent();
  }

  /** Undeploys the group. Does not fail, and does nothing if nothing was deployed. */
  Future<Void> undeploy() {
    return id.map(vertx::undeploy)
        .orElse(Future.succeededFuture())
        .onFailure(
            failure -> LOG.atError().setCause(failure).log("a verticle did not stop cleanly"))
        .otherwiseEmpty();
  }
}
