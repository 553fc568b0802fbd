package carillon.node;

import carillon.redis.RedisLinkOptions.Patience;
import java.util.concurrent.atomic.AtomicReference;

/** Phase of a node, from its start to its stop. Thread-safe. */
final class NodeLifecycle {
  /** A node enters them in this order, and may leave some out. */
  enum NodePhase {
    /** Settings and Redis are looked at. */
    VALIDATING,
    /** They are in order, and the parts of the node start. */
    DEPLOYING,
    /** All parts have started. */
    RUNNING,
    /** The node was told to end. */
    STOPPING
  }

  private final AtomicReference<NodePhase> phase = new AtomicReference<>(NodePhase.VALIDATING);

  NodePhase phase() {
    return phase.get();
  }

  /** Enters a phase, unless a later one was. */
  void enter(NodePhase next) {
    phase.accumulateAndGet(next, (now, then) -> now.compareTo(then) < 0 ? then : now);
  }

  boolean isStopping() {
    return phase() == NodePhase.STOPPING;
  }

  /** A start waits for a Redis that it has found in order, until the node is told to stop. */
  Patience patience() {
    return switch (phase()) {
      case VALIDATING, RUNNING -> Patience.BRIEF;
      case DEPLOYING -> Patience.ENDLESS;
      case STOPPING -> Patience.NONE;
    };
  }
}
