package carillon.fsck;

import carillon.job.CollectionName;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.store.operation.RawRedisReader;
import carillon.store.operation.RawRedisReader.Pair;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** The lists of collections: that each entry is of a collection. */
final class CollectionListCheck {
  static final String LISTED = "score 0";

  private final RawRedisReader inspection;
  private final CollectionCache stored;
  private final Keys keys;
  private final FindingVerifier judge;

  CollectionListCheck(
      RawRedisReader inspection, CollectionCache stored, Keys keys, FindingVerifier judge) {
    this.inspection = inspection;
    this.stored = stored;
    this.keys = keys;
    this.judge = judge;
  }

  /** The list of a subscription. */
  Future<Void> check(String subscription) {
    String list = keys.collections(subscription);
    return AsyncLoops.slices(
        from -> inspection.members(list, from),
        pair -> {
          Optional<CollectionName> name = CollectionCache.name(subscription + "/" + pair.name());
          if (name.isEmpty()) {
            return judge.settle(List.of(unlisted(list, pair, FindingKind.UNREADABLE)));
          }
          judge.doubt(
              new DeferredCheck(
                  () -> lookAtListed(name.get(), list, pair),
                  () ->
                      inspection.perform(
                          unlisted(list, pair, FindingKind.LISTED_WITHOUT_COLLECTION).proof())));
          return Future.succeededFuture();
        });
  }

  private static Suspicion unlisted(String list, Pair pair, FindingKind kind) {
    return new Suspicion(
        new Finding(
            kind, list + " " + pair.name(), "nothing, as there is no such collection", LISTED),
        new ConditionalCommands()
            .whenSame(pair.value(), "ZSCORE", list, pair.name())
            .then("ZREM", list, pair.name()));
  }

  private Future<Optional<Finding>> lookAtListed(CollectionName name, String list, Pair pair) {
    Finding finding = unlisted(list, pair, FindingKind.LISTED_WITHOUT_COLLECTION).finding();
    return stored.unlessThere(
        name,
        () ->
            inspection
                .scores(list, List.of(pair.name()))
                .map(scores -> Optional.ofNullable(scores.get(0)).map(listed -> finding)));
  }
}
