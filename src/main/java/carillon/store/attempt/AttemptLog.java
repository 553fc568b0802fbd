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
 * Log of failed, slow and recovered attempts of all jobs, or of all attempts if the settings say
 * so. The script that ends an attempt writes it to the stream of the job's partition. Every stream
 * is bounded, by number and age. Confined to the event loop of its link.
 */
public final class AttemptLog {
  /** Maximum time from the end of an attempt to its record. */
  private static final Duration DELAY = Duration.ofMinutes(10);

  /**
   * Maximum number of entries read for one page. It bounds the work for a caller who may see only
   * few of them.
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
   * @param after position of the next page, if there may be more
   */
  public record Page(List<AttemptRecord> attempts, Optional<String> after) {}

  /**
   * Returns a page of records, newest first. A request reads a bounded number of records. So a page
   * may have fewer than {@code top}, or none, although more follow. Fails with INVALID if {@code
   * after} is no position.
   *
   * @param isVisible whether the caller may see a record
   * @param after where to begin, empty for the newest
   * @param top maximum number of records on the page
   */
  public Future<Page> page(
      AttemptFilter filter, Predicate<AttemptRecord> isVisible, String after, int top) {
    return page(filter, isVisible, after, top, BUDGET);
  }

  /** Returns the duration from which an attempt counts as slow. */
  public Duration slow() {
    return settings.slow();
  }

  /** Returns the newest records, and reads as many as it needs to find them. */
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
