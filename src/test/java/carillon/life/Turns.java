package carillon.life;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Gives Redis one command at a time, from all wires. The order of the answers is therefore the
 * order in which Redis performed the commands. Confined to the event loop.
 */
final class Turns {
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private boolean taken;

  void take(Runnable write) {
    if (taken) {
      waiting.add(write);
    } else {
      taken = true;
      write.run();
    }
  }

  void done() {
    Runnable next = waiting.poll();
    if (next == null) {
      taken = false;
    } else {
      next.run();
    }
  }
}
