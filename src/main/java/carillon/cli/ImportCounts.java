package carillon.cli;

import java.util.concurrent.atomic.LongAdder;

/** What became of the lines of an import. Thread-safe. */
final class ImportCounts {
  final LongAdder created = new LongAdder();
  final LongAdder replaced = new LongAdder();
  final LongAdder existing = new LongAdder();
  final LongAdder refused = new LongAdder();

  long all() {
    return created.sum() + replaced.sum() + existing.sum() + refused.sum();
  }
}
