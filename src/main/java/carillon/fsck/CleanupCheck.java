package carillon.fsck;

import carillon.fsck.FindingVerifier.Suspicion;
import carillon.job.name.CollectionName;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.store.operation.RawRedisReader;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Check of what deletions of collections leave: fences, lists of deleted jobs, and collections
 * marked as deleted. The cleanup list must name all of it, or no node removes it.
 */
final class CleanupCheck {
  private final CheckContext context;
  private final RawRedisReader reader;
  private final Keys keys;
  private final Set<String> seen = new HashSet<>();

  CleanupCheck(CheckContext context) {
    this.context = context;
    this.reader = context.reader;
    this.keys = context.keys;
  }

  /** Checks the fences of a partition. */
  Future<Void> checkFences(int partition) {
    String fences = keys.epochs(partition);
    return SliceLoops.items(
        from -> reader.entries(fences, from),
        pair -> {
          String key = fences + " " + pair.name();
          if (!isReadable(pair.value())) {
            return context.verifier.settle(
                new Suspicion(
                    FindingKind.UNREADABLE,
                    key,
                    "two epochs",
                    pair.value(),
                    new ConditionalCommands()
                        .whenSame(pair.value(), "HGET", fences, pair.name())
                        .then("HDEL", fences, pair.name())));
          }
          String epoch = pair.value().substring(0, pair.value().indexOf(' '));
          List<String> unchanged = List.of(pair.value());
          suspect(
              pair.name(),
              epoch,
              key,
              () -> reader.fields(fences, pair.name()).map(unchanged::equals));
          return Future.succeededFuture();
        });
  }

  private static boolean isReadable(String fence) {
    return fence.matches("-?\\d{1,18} -?\\d{1,18}");
  }

  /**
   * Whether a job of this epoch was deleted with its collection.
   *
   * @param fence as in {@code {17}:epochs}; null for none
   * @param epoch of the job, null for 0
   */
  static boolean isDeleted(String fence, String epoch) {
    if (epoch != null && epoch.matches("[1-9]\\d{18,}")) {
      return false; // greater than any
    }
    long written = epoch == null || !epoch.matches("\\d{1,18}") ? 0 : Long.parseLong(epoch);
    return written <= dead(fence);
  }

  /** The newest epoch whose jobs are deleted; -1 for none. */
  static long dead(String fence) {
    return fence == null || !isReadable(fence)
        ? -1
        : Long.parseLong(fence.substring(fence.indexOf(' ') + 1));
  }

  /** Checks the list of the jobs that were deleted with an epoch: {@code sub/group/coll@3}. */
  void checkDeletedJobs(String key, String name) {
    int at = name.lastIndexOf('@');
    if (at > 0 && name.substring(at + 1).matches("\\d{1,18}")) {
      suspect(name.substring(0, at), name.substring(at + 1), key, () -> reader.exists(key));
    }
  }

  /** Checks a collection that may be marked as deleted. */
  Future<Void> checkCollection(String collection) {
    String key = keys.collection(CollectionName.parse(collection));
    return reader
        .fields(key, "deletedAt", "epoch")
        .map(
            fields -> {
              if (fields.get(0) != null) {
                suspect(
                    collection,
                    fields.get(1) == null ? "0" : fields.get(1),
                    key + " deletedAt",
                    () -> reader.fields(key, "deletedAt", "epoch").map(fields::equals));
              }
              return null;
            });
  }

  private void suspect(
      String collection, String epoch, String what, Supplier<Future<Boolean>> isThere) {
    if (!seen.add(collection + "@" + epoch)) {
      return;
    }
    String list = keys.cleanup();
    String sweep = "sweep:" + collection + "@" + epoch;
    String forget = "forget:" + collection + "@" + epoch;
    Finding finding = new Finding(FindingKind.REMAINS, what, sweep + " in " + list, "nothing");
    context.verifier.defer(
        () ->
            CheckContext.unless(
                reader
                    .scores(list, List.of(sweep, forget))
                    .map(scores -> scores.get(0) != null || scores.get(1) != null),
                () -> isThere.get().map(there -> Optional.of(finding).filter(found -> there))),
        () ->
            reader.perform(
                new ConditionalCommands()
                    .whenNone("ZSCORE", list, sweep)
                    .whenNone("ZSCORE", list, forget)
                    .then("ZADD", list, Long.toString(context.clock.millis()), sweep)));
  }
}
