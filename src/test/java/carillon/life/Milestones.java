package carillon.life;

import carillon.support.Await;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * Events that nodes cause automatically, at their own pace. A walk can wait for them: each wait is
 * for one more event of a kind. Thread-safe.
 */
final class Milestones {
  private final Map<Kind, Integer> reached = new EnumMap<>(Kind.class); // guarded by this
  private final Map<Kind, Integer> awaited = new EnumMap<>(Kind.class);

  /** Events to wait for. */
  enum Kind {
    CALL("the target is called"),
    FINISH("a finish is performed"),
    DEFER("a defer is performed"),
    SCHEDULE_NEXT("a next occurrence waits");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  /** A walk begins. */
  synchronized void begin() {
    reached.clear();
    awaited.clear();
  }

  synchronized void reach(Kind kind) {
    reached.merge(kind, 1, Integer::sum);
  }

  /** Redis performed a script. */
  void performed(String script) {
    for (Kind kind : Kind.values()) {
      if (kind.name().toLowerCase(Locale.ROOT).equals(script)) {
        reach(kind);
      }
    }
  }

  private synchronized boolean isReached(Kind kind, int times) {
    return reached.getOrDefault(kind, 0) >= times;
  }

  /** Waits for the next event of a kind that no earlier call waited for. */
  void await(Kind kind) {
    int times = awaited.merge(kind, 1, Integer::sum);
    Await.until(kind.words(), () -> isReached(kind, times));
  }
}
