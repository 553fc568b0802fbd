package carillon.node;

import carillon.redis.route.RedisLinkOptions.Patience;
import java.util.concurrent.atomic.AtomicReference;

/** Phase of a node, from its start to its stop. Thread-safe. */
final class NodeLifecycle {
  /** A node enters them in this order, and may leave some out. */
  enum NodePhase {
    /** The node checks settings and Redis. */
    VALIDATING,
    /** The checks succeeded, and the parts of the node start. */
    DEPLOYING,
    /** All parts have started. */
    RUNNING,
    /** The node is stopping. */
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

  /**
   * Returns the patience for Redis. A start that has found Redis in order waits for it until the
   * node stops.
   */
  Patience patience() {
    return switch (phase()) {
      case VALIDATING, RUNNING -> Patience.BRIEF;
      case DEPLOYING -> Patience.ENDLESS;
      case STOPPING -> Patience.NONE;
    };
  }
}
