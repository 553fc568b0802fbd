package carillon.fsck;

import carillon.fsck.FindingVerifier.Suspicion;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.store.operation.RawRedisReader;
import carillon.store.operation.RawRedisReader.Pair;
import carillon.store.resource.CalendarStore.StoredCalendar;
import carillon.store.resource.FlowStore;
import carillon.store.resource.ResourceStore;
import carillon.store.resource.ResourceStore.FoundResource;
import carillon.store.resource.ResourceStore.Resource;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;

/** Check that each flow and each calendar can be read, and the number of their changes. */
final class ResourceCheck {
  private final RawRedisReader reader;
  private final Keys keys;
  private final InstantSource clock;
  private final FindingVerifier verifier;

  ResourceCheck(CheckContext context) {
    this.reader = context.reader;
    this.keys = context.keys;
    this.clock = context.clock;
    this.verifier = context.verifier;
  }

  /** Checks all flows. */
  Future<Void> checkFlows() {
    return check(keys.flows(), "a flow", FlowStore::found);
  }

  /** Checks all calendars. */
  Future<Void> checkCalendars() {
    return check(keys.calendars(), "a calendar", StoredCalendar::found);
  }

  /** Reads the number of changes first, because a repair of the counted items raises it. */
  private <T> Future<Void> check(
      String hash, String expected, Function<FoundResource<Resource>, FoundResource<T>> as) {
    return reader
        .patiently(() -> reader.fields(hash, ResourceStore.REVISION))
        .compose(fields -> checkRevision(hash, fields.get(0)))
        .compose(
            done ->
                SliceLoops.items(
                    from -> reader.entries(hash, from),
                    pair -> checkRecord(hash, expected, pair, as)));
  }

  private Future<Void> checkRevision(String hash, String revision) {
    if (revision == null || revision.matches("0|[1-9]\\d{0,17}")) {
      return Future.succeededFuture();
    }
    // Greater than any revision that nodes have cached.
    String other = Long.toString(clock.millis());
    return verifier.settle(
        new Suspicion(
            FindingKind.UNREADABLE,
            hash + " " + ResourceStore.REVISION,
            "a number",
            revision,
            same(hash, new Pair(ResourceStore.REVISION, revision))
                .then("HSET", hash, ResourceStore.REVISION, other)));
  }

  private <T> Future<Void> checkRecord(
      String hash,
      String expected,
      Pair pair,
      Function<FoundResource<Resource>, FoundResource<T>> as) {
    if (pair.name().equals(ResourceStore.REVISION)) {
      return Future.succeededFuture();
    }
    Optional<String> damaged =
        RawRedisReader.isUtf8(pair.value())
            ? as.apply(FoundResource.of(pair.name(), pair.value())).damaged()
            : Optional.of("what is not UTF-8: " + pair.value());
    return damaged.isEmpty()
        ? Future.succeededFuture()
        : verifier.settle(
            new Suspicion(
                FindingKind.UNREADABLE,
                hash + " " + pair.name(),
                expected,
                damaged.get(),
                putAway(hash, pair)));
  }

  private ConditionalCommands putAway(String hash, Pair pair) {
    String away = keys.damaged(hash) + ":" + pair.name();
    String made = away + ":new";
    return same(hash, pair)
        .then("SET", made, RawRedisReader.escaped(pair.value()))
        .thenRename(made, away)
        .then("HDEL", hash, pair.name())
        .then("HINCRBY", hash, ResourceStore.REVISION, "1");
  }

  private static ConditionalCommands same(String hash, Pair pair) {
    return RawRedisReader.whenSame(new ConditionalCommands(), hash, pair.name(), pair.value());
  }
}
