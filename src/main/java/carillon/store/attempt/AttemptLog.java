package carillon.store.attempt;

import carillon.config.Settings.ExecutionsSettings;
import carillon.job.AttemptRecord;
import carillon.job.AttemptRecord.AttemptFilter;
import carillon.json.view.AttemptRecordCodec;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.StreamPager;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Log of attempts of all jobs that failed, were slow or recovered; of all where that is set. The
 * script that ends an attempt writes it, in the stream of the job's partition. Every stream is
 * bounded, by number and age. Confined to the event loop of its link.
 */
public final class AttemptLog {
  /** An attempt is recorded this long after its end at most. */
  private static final Duration DELAY = Duration.ofMinutes(10);

  /**
   * Entries that are looked at for a page: one for who may see little of them must not look through
   * them all.
   */
  private static final int BUDGET = 16_384;

  private final RedisLink link;
  private final Keys keys;
  private final ExecutionsSettings settings;
  private final InstantSource clock;

  public AttemptLog(RedisLink link, Keys keys, ExecutionsSettings settings, InstantSource clock) {
    this.link = link;
    this.keys = keys;
    this.settings = settings;
    this.clock = clock;
  }

  /**
   * A page of records, newest first.
   *
   * @param after where to continue, when there may be more
   */
  public record Page(List<AttemptRecord> attempts, Optional<String> after) {}

  /**
   * Records from the newest on. An answer looks at a bounded number of records: it may have fewer
   * than are wanted, or none, and be continued. Fails with INVALID when {@code after} is no
   * position.
   *
   * @param isVisible by record whether the caller may see it
   * @param after where to begin, empty for the newest
   * @param top most records on the page
   */
  public Future<Page> page(
      AttemptFilter filter, Predicate<AttemptRecord> isVisible, String after, int top) {
    return page(filter, isVisible, after, top, BUDGET);
  }

  /** An attempt that takes as long is slow. */
  public Duration slow() {
    return settings.slow();
  }

  /** The newest records, however many must be looked at. */
  public Future<List<AttemptRecord>> newest(AttemptFilter filter, int top) {
    return page(filter, all -> true, "", top, Integer.MAX_VALUE).map(Page::attempts);
  }

  private Future<Page> page(
      AttemptFilter filter, Predicate<AttemptRecord> isVisible, String after, int top, int budget) {
    Instant kept = clock.instant().minus(settings.age());
    Instant oldest = filter.since().filter(kept::isBefore).orElse(kept);
    List<Integer> streams = IntStream.range(0, keys.partitions()).boxed().toList();
    StreamPager.PageWindow window =
        new StreamPager.PageWindow(0, Long.MAX_VALUE, filter.object(), StreamPager.LOOK, budget);
    return new StreamPager<>(
            link,
            keys::outcomes,
            window,
            after,
            (id, fields) -> read(fields),
            one ->
                !one.entry().end().isBefore(oldest) && filter.matches(one) && isVisible.test(one),
            one -> one.entry().end().isBefore(oldest.minus(DELAY)))
        .page(streams, 0, top)
        .map(page -> new Page(page.entries(), page.after()));
  }

  private static Optional<AttemptRecord> read(Response fields) {
    return fields.size() < 4
        ? Optional.empty()
        : AttemptRecordCodec.read(fields.get(1).toString(), fields.get(3).toString());
  }
}
