package carillon.cli;

import java.util.TreeSet;

/** Up to which line everything is done, though lines end in any order. Thread-safe. */
final class LineCheckpoint {
  private final TreeSet<Long> open = new TreeSet<>();
  private long last;

  /** As if the lines before this one were done. */
  LineCheckpoint(long first) {
    last = first - 1;
  }

  /** Lines begin in their order. */
  synchronized void begin(long line) {
    open.add(line);
    last = line;
  }

  synchronized void end(long line) {
    open.remove(line);
  }

  /** The last line before which none is open. */
  synchronized long line() {
    return open.isEmpty() ? last : open.first() - 1;
  }
}
