package carillon.fsck;

import carillon.job.CollectionName;
import carillon.store.Guarded;
import carillon.store.InspectionStore;
import carillon.store.InspectionStore.Pair;
import carillon.store.Keys;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** The lists of collections: that each entry is of a collection. */
final class CollectionListCheck {
  static final String LISTED = "score 0";

  private final InspectionStore inspection;
  private final StoredCollections stored;
  private final Keys keys;
  private final Judge judge;

  CollectionListCheck(
      InspectionStore inspection, StoredCollections stored, Keys keys, Judge judge) {
    this.inspection = inspection;
    this.stored = stored;
    this.keys = keys;
    this.judge = judge;
  }

  /** The list of a subscription. */
  Future<Void> check(String subscription) {
    String list = keys.collections(subscription);
    return Loop.slices(
        from -> inspection.members(list, from),
        pair -> {
          Optional<CollectionName> name = StoredCollections.name(subscription + "/" + pair.name());
          if (name.isEmpty()) {
            return judge.settle(List.of(unlisted(list, pair, Kind.UNREADABLE)));
          }
          judge.doubt(
              new Doubt(
                  () -> lookAtListed(name.get(), list, pair),
                  () ->
                      inspection.perform(
                          unlisted(list, pair, Kind.LISTED_WITHOUT_COLLECTION).proof())));
          return Future.succeededFuture();
        });
  }

  private static Suspect unlisted(String list, Pair pair, Kind kind) {
    return new Suspect(
        new Finding(
            kind, list + " " + pair.name(), "nothing, as there is no such collection", LISTED),
        new Guarded()
            .whenSame(pair.value(), "ZSCORE", list, pair.name())
            .then("ZREM", list, pair.name()));
  }

  private Future<Optional<Finding>> lookAtListed(CollectionName name, String list, Pair pair) {
    Finding finding = unlisted(list, pair, Kind.LISTED_WITHOUT_COLLECTION).finding();
    return stored.unlessThere(
        name,
        () ->
            inspection
                .scores(list, List.of(pair.name()))
                .map(scores -> Optional.ofNullable(scores.get(0)).map(listed -> finding)));
  }
}
