package carillon.store.job;

import carillon.bounded.AsyncLoops;
import carillon.job.name.CollectionName;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.redis.Keys;
import carillon.redis.Partitions;
import carillon.redis.RedisLink;
import carillon.store.job.JobOrder.SortKey;
import carillon.store.job.JobSearch.Criteria;
import carillon.store.job.JobSearch.Hits;
import carillon.store.job.JobSearch.NamesOfState;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Names of a collection's jobs in an order without an index. Writes do not maintain such an index,
 * so each page reads all jobs that the list may have. It uses short scripts, in a few partitions at
 * a time, and keeps only the keys that it needs. The jobs are counted first, and too many are
 * refused. Confined to the event loop of its link.
 */
public final class OrderedJobs {
  /**
   * Maximum number of jobs that one page reads. That is about 320 scripts of 0.3 ms each, a tenth
   * of a second of Redis on a busy machine.
   */
  private static final int MAX_JOBS = 10_000;

  private final RedisLink link;
  private final Keys keys;
  private final JobSearch search;

  OrderedJobs(RedisLink link, Keys keys, JobSearch search) {
    this.link = link;
    this.keys = keys;
    this.search = search;
  }

  /**
   * Names of a page.
   *
   * @param hits names; their end is the token of a sort key
   * @param total number of jobs in the whole list
   */
  public record Page(Hits hits, long total) {}

  /**
   * Returns a page. Fails with {@link ErrorCode#TOO_MANY_JOBS}, and with {@link ErrorCode#INVALID}
   * if the token belongs to another list.
   *
   * @param after token of the last page, empty text for the beginning
   * @param skip number of jobs to leave out first
   */
  Future<Page> page(
      CollectionName collection, Criteria wanted, JobOrder order, String after, int skip, int top) {
    Optional<SortKey> begin =
        after.isEmpty()
            ? Optional.empty()
            : Optional.of(order.readToken(after, collection, wanted));
    return new MergedNames(link, keys, collection, wanted.states())
        .count(wanted.begin(), wanted.end())
        .compose(
            jobs -> {
              check(jobs, order);
              int left = Math.min(skip, MAX_JOBS);
              FirstJobs first = new FirstJobs(order, begin, left + top + 1);
              return Partitions.all(
                      keys,
                      JobSearch.SIDE_BY_SIDE,
                      partition -> walk(collection, wanted, first, partition, ""))
                  .map(done -> first.page(collection, wanted, left, top));
            });
  }

  private static void check(long jobs, JobOrder order) {
    if (jobs > MAX_JOBS) {
      throw new JobException(
          ErrorCode.TOO_MANY_JOBS,
          String.format(
              Locale.ROOT,
              "$orderby: '%s' is for lists of %,d jobs at most, this one has %,d; narrow it by"
                  + " state, or a search by prefix, or list by id",
              order.property().word(),
              MAX_JOBS,
              jobs));
    }
  }

  /** Reads the names of a partition, slice by slice. */
  private Future<Void> walk(
      CollectionName collection, Criteria wanted, FirstJobs first, int partition, String after) {
    String[] from = {after};
    return AsyncLoops.whileMore(
        () ->
            search
                .look(collection, wanted, first.order.property().fields(), from[0], partition)
                .map(
                    slice -> {
                      Optional<String> horizon = JobSearch.horizon(slice);
                      for (int i = 0; i < slice.size(); i++) {
                        first.add(wanted.states().get(i), slice.get(i), horizon);
                      }
                      horizon.ifPresent(last -> from[0] = last);
                      return horizon.isPresent();
                    }));
  }

  /** The first jobs after a key. Used once. */
  private static final class FirstJobs {
    private final JobOrder order;
    private final Comparator<SortKey> comparator;
    private final Optional<SortKey> begin;
    private final int most;
    private final PriorityQueue<SortKey> kept; // the last of them first
    private long total;

    FirstJobs(JobOrder order, Optional<SortKey> begin, int most) {
      this.order = order;
      this.comparator = order.comparator();
      this.begin = begin;
      this.most = most;
      this.kept = new PriorityQueue<>(comparator.reversed());
    }

    /** Adds the names of a slice up to the horizon. The next slice has the others. */
    void add(String state, NamesOfState found, Optional<String> horizon) {
      for (int i = 0; i < found.names().size(); i++) {
        String name = found.names().get(i);
        if (horizon.isEmpty() || name.compareTo(horizon.get()) <= 0) {
          total++;
          add(order.keyOf(name, state, value(found, 2 * i), value(found, 2 * i + 1)));
        }
      }
    }

    private static String value(NamesOfState found, int at) {
      return found.values().isEmpty() ? "" : found.values().get(at);
    }

    private void add(SortKey key) {
      if (begin.isPresent() && comparator.compare(key, begin.get()) <= 0) {
        return;
      }
      kept.add(key);
      if (kept.size() > most) {
        kept.remove();
      }
    }

    Page page(CollectionName collection, Criteria wanted, int skip, int top) {
      List<SortKey> keys = new ArrayList<>(kept);
      keys.sort(comparator);
      List<SortKey> page =
          keys.subList(Math.min(skip, keys.size()), Math.min(skip + top, keys.size()));
      Optional<String> after =
          keys.size() > skip + top
              ? Optional.of(order.token(page.get(top - 1), collection, wanted))
              : Optional.empty();
      return new Page(new Hits(page.stream().map(SortKey::name).toList(), after), total);
    }
  }
}
