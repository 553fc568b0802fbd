package carillon.api;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/** Whether this node can do its work. */
@FunctionalInterface
public interface Readiness {
  /** Why not, in sentences for an operator; empty when it can. A failure counts as not ready. */
  Future<List<String>> obstacles();

  /** What an operator wants to know besides, as names and values. */
  default Map<String, String> facts() {
    return Map.of();
  }
}
