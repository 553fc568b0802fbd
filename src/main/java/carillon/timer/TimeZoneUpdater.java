package carillon.timer;

import carillon.bounded.AsyncLoops;
import carillon.job.name.JobKey;
import carillon.store.Stores;
import carillon.store.job.RetimingStore.RetimingSlice;
import carillon.store.node.NodeRecord;
import carillon.store.node.NodeStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves next occurrences when time zone rules change. Starts once all nodes have a newer tz
 * database than the one used for the stored instants. The node that polls partition 0 first then
 * moves the occurrences whose instants differ. A node with an older database logs that Java must be
 * updated. Confined to the timer's event loop.
 */
final class TimeZoneUpdater {
  static final Duration PAUSE = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger(TimeZoneUpdater.class);

  private static final Duration REMINDER = Duration.ofHours(1);

  /** Pause after each step, as a multiple of its duration. */
  private static final int REST = 19;

  private final Vertx vertx;
  private final Stores stores;
  private final Membership members;
  private final CalendarUpdater calendars;
  private final InstantSource clock;
  private final String version;
  private final OutageLog outages;
  private final int partitions;
  private Instant warned = Instant.MIN;
  private long moved;
  private boolean stopped;

  /**
   * Creates an updater.
   *
   * @param calendars updates the occurrences of calendars whose time zones have new rules
   * @param version version of this node's tz database
   */
  TimeZoneUpdater(
      TimerVerticle.Shared shared, Membership members, CalendarUpdater calendars, String version) {
    this.vertx = shared.vertx();
    this.stores = shared.stores();
    this.clock = shared.clock();
    this.outages = shared.outages();
    this.partitions = shared.config().partitions();
    this.members = members;
    this.calendars = calendars;
    this.version = version;
  }

  /** Checks once whether there is something to do, and does it. Never fails. */
  Future<Void> update() {
    return stores
        .job()
        .retiming()
        .version()
        .compose(this::update)
        .onFailure(
            failure ->
                LOG.atLevel(outages.level(failure))
                    .addKeyValue("error", failure.getMessage())
                    .log("next occurrences cannot follow the tz database; trying again later"))
        .otherwiseEmpty();
  }

  /** Stops moving occurrences. */
  void stop() {
    stopped = true;
  }

  /** Compares the versions as text: they are years with a letter. */
  private Future<Void> update(Optional<String> stored) {
    if (stored.isEmpty()) {
      return stores.job().retiming().note(version);
    }
    int order = version.compareTo(stored.get());
    if (order < 0) {
      warn(stored.get());
    }
    return order > 0 && members.rank(0) == 0
        ? areAllUpdated().compose(all -> all ? retime(stored.get()) : Future.succeededFuture())
        : Future.succeededFuture();
  }

  private void warn(String newer) {
    if (!clock.instant().isBefore(warned.plus(REMINDER))) {
      warned = clock.instant();
      LOG.atWarn()
          .addKeyValue("tzdata", version)
          .addKeyValue("storedTzdata", newer)
          .log("this Java has older rules of time zones than other nodes; update it");
    }
  }

  /**
   * Whether all nodes have this database. An older node would plan later occurrences by its old
   * rules.
   */
  private Future<Boolean> areAllUpdated() {
    Instant now = clock.instant();
    return stores
        .node()
        .nodes()
        .members("", 0, Integer.MAX_VALUE)
        .map(
            page ->
                page.members().stream()
                    .filter(node -> node.state(now) != NodeStore.State.DEAD)
                    .allMatch(this::isUpdated));
  }

  private boolean isUpdated(NodeStore.Member node) {
    return node.record().map(NodeRecord::tzdata).filter(version::equals).isPresent();
  }

  private Future<Void> retime(String from) {
    moved = 0;
    LOG.atInfo()
        .addKeyValue("tzdata", version)
        .addKeyValue("storedTzdata", from)
        .log("moving next occurrences to a newer tz database");
    return AsyncLoops.each(IntStream.range(0, partitions).boxed().toList(), this::retimePartition)
        .compose(done -> stopped ? Future.succeededFuture() : calendars.followAll())
        .compose(done -> stopped ? Future.succeededFuture() : stores.job().retiming().note(version))
        .onSuccess(
            done ->
                LOG.atInfo()
                    .addKeyValue("tzdata", version)
                    .addKeyValue("moved", moved)
                    .log("next occurrences moved to a newer tz database"));
  }

  private Future<Void> retimePartition(int partition) {
    String[] cursor = {RetimingSlice.END};
    return AsyncLoops.whileMore(
        () -> {
          if (stopped) {
            return Future.succeededFuture(false);
          }
          long begun = System.nanoTime();
          return stores
              .job()
              .retiming()
              .waiting(partition, cursor[0])
              .onSuccess(slice -> cursor[0] = slice.cursor())
              .compose(slice -> retime(slice.jobs()))
              .compose(done -> rest(System.nanoTime() - begun))
              .map(rested -> !cursor[0].equals(RetimingSlice.END));
        });
  }

  private Future<Void> retime(List<JobKey> jobs) {
    List<Future<Boolean>> moves =
        jobs.stream().map(job -> stores.job().retiming().retime(job, "tzdata " + version)).toList();
    return Future.join(moves)
        .onComplete(all -> moved += moves.stream().filter(TimeZoneUpdater::isMoved).count())
        .mapEmpty();
  }

  private static boolean isMoved(Future<Boolean> move) {
    return move.succeeded() && move.result();
  }

  /** Leaves 19/20 of the time of Redis to others. */
  private Future<Void> rest(long took) {
    return vertx.timer(Math.max(1, Duration.ofNanos(took * REST).toMillis())).mapEmpty();
  }
}
