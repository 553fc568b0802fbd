package carillon.life;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Lets Redis have one command at a time, of all wires, so that the order in which answers come is
 * the one in which Redis performed. Confined to the event loop.
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
