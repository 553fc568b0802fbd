package carillon.store.job;

import carillon.job.name.CollectionName;
import carillon.job.name.JobName;
import carillon.job.name.JobState;
import carillon.job.name.NameRules;
import carillon.json.StoredJson;
import carillon.redis.Keys;
import carillon.redis.Partitions;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import carillon.redis.route.RedisErrors;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Search of a collection's jobs by a part of their names, the outcome of their last attempt and
 * their labels. There is no index for these. The search examines names in order, in several
 * partitions at a time, by a few short scripts. It examines a bounded number of names, and then
 * returns where to continue. Confined to the event loop of its link.
 */
public final class JobSearch {
  private static final Script<List<NamesOfState>> FIND =
      Script.returning("find_jobs", states -> states.stream().map(NamesOfState::of).toList());

  /** Number of names that one script examines, in all states together. */
  private static final int SLICE = 256;

  /**
   * Maximum number of names of each partition that one search examines: 250,000 names of a large
   * collection.
   */
  public static final int MAX_NAMES = 4096;

  /**
   * Number of names that a collection with few names counts as, because it takes a script in each
   * partition too.
   */
  public static final int NAMES_OF_FEW = 64;

  /** Number of partitions that are read concurrently. Redis answers other clients in between. */
  static final int SIDE_BY_SIDE = 8;

  private static final List<String> NO_FIELDS = List.of();

  private final RedisLink link;
  private final Keys keys;

  public JobSearch(RedisLink link, Keys keys) {
    this.link = link;
    this.keys = keys;
  }

  /**
   * Criteria of a search.
   *
   * @param state empty for any
   * @param prefix beginning of the name, folded; empty text for any
   * @param part a part of the name, folded; empty text for any
   * @param outcome outcome of the last attempt, {@code none} if there was none; empty text for any
   * @param labels required labels, with their values
   */
  public record Criteria(
      Optional<JobState> state,
      String prefix,
      String part,
      String outcome,
      Map<String, String> labels) {
    public Criteria {
      prefix = NameRules.fold(prefix);
      part = NameRules.fold(part);
      labels = Map.copyOf(labels);
    }

    /** Returns the labels in their stored form, which needs no escapes. */
    private String storedLabels() {
      return labels.entrySet().stream()
          .map(label -> '"' + label.getKey() + "\":\"" + label.getValue() + '"')
          .collect(Collectors.joining("\n"));
    }

    List<String> states() {
      return state.map(one -> List.of(one.word())).orElse(NameSlice.ALL_STATES);
    }

    /** Whether an index can answer, without a search. */
    public boolean isIndexed() {
      return part.isEmpty() && outcome.isEmpty() && labels.isEmpty();
    }

    /** Returns the name after which the range begins. */
    String begin() {
      return prefix.isEmpty() ? "" : NameRules.justBefore(prefix);
    }

    /** Returns the name before which the range ends; empty text for no end. */
    String end() {
      return prefix.isEmpty() ? "" : NameRules.justAfter(prefix);
    }

    /** Returns how many names of each state one script examines. */
    private int slice() {
      return SLICE / states().size();
    }
  }

  /**
   * Matching names, in order.
   *
   * @param after name after which to continue; empty if all names were examined
   */
  public record Hits(List<String> names, Optional<String> after) {}

  /**
   * Number of names of each partition that a search may still examine, in one collection or
   * several.
   */
  public static final class Budget {
    private int names = MAX_NAMES;

    public void spend(int looked) {
      names -= looked;
    }

    public boolean isSpent() {
      return names <= 0;
    }
  }

  /**
   * Searches after a name.
   *
   * @param after folded name, empty text for the beginning
   * @param top maximum number of names; the result may have fewer although more follow
   */
  public Future<Hits> find(CollectionName collection, Criteria wanted, String after, int top) {
    return find(collection, wanted, after, top, new Budget());
  }

  /** Searches as a part of a larger search, and spends its budget. */
  public Future<Hits> find(
      CollectionName collection, Criteria wanted, String after, int top, Budget budget) {
    return look(collection, wanted, after)
        .compose(
            found -> {
              budget.spend(found.after.isEmpty() ? NAMES_OF_FEW : wanted.slice());
              if (found.names.size() >= top) {
                return Future.succeededFuture(cut(found, top));
              }
              if (found.after.isEmpty() || budget.isSpent()) {
                return Future.succeededFuture(found);
              }
              return find(collection, wanted, found.after.get(), top - found.names.size(), budget)
                  .map(rest -> concat(found, rest));
            });
  }

  private static Hits cut(Hits found, int top) {
    boolean isAll = found.names.size() == top && found.after.isEmpty();
    List<String> names = found.names.subList(0, top);
    return new Hits(names, isAll ? Optional.empty() : Optional.of(names.get(top - 1)));
  }

  private static Hits concat(Hits first, Hits rest) {
    List<String> names = new ArrayList<>(first.names);
    names.addAll(rest.names);
    return new Hits(names, rest.after);
  }

  /** Reads one slice of every partition. */
  private Future<Hits> look(CollectionName collection, Criteria wanted, String after) {
    return Partitions.all(
            keys, SIDE_BY_SIDE, partition -> look(collection, wanted, NO_FIELDS, after, partition))
        .map(parts -> merge(parts.stream().flatMap(List::stream).toList()));
  }

  /**
   * Reads one slice of a partition.
   *
   * @param fields fields of each job to return, two or none
   * @return one element for each wanted state
   */
  Future<List<NamesOfState>> look(
      CollectionName collection,
      Criteria wanted,
      List<String> fields,
      String after,
      int partition) {
    return FIND.on(link)
        .key("jobs", keys.jobs(partition, collection.key()))
        .arg("after", after.isEmpty() ? wanted.begin() : after)
        .arg("upto", wanted.end())
        .arg("limit", wanted.slice())
        .arg("part", wanted.part)
        .arg("outcome", wanted.outcome)
        .arg("field", fields.isEmpty() ? "" : fields.get(0))
        .arg("second", fields.isEmpty() ? "" : fields.get(1))
        .arg("prefix", keys.jobPrefix(partition) + collection.key() + "/")
        .arg("labels", wanted.storedLabels())
        .args("states", wanted.states())
        .run();
  }

  /**
   * Names of one state that one script found.
   *
   * @param end the last examined name; empty text if no more follow
   * @param values values of the two fields of each name, if they were requested; empty text for an
   *     absent one
   */
  record NamesOfState(String end, List<String> names, List<String> values) {
    static NamesOfState of(Response reply) {
      return new NamesOfState(
          reply.get(0).toString(), NameSlice.names(reply.get(1)), NameSlice.names(reply.get(2)));
    }
  }

  /** Merges parts up to the first end of an incomplete one. Later names may have gaps. */
  private static Hits merge(List<NamesOfState> parts) {
    Optional<String> horizon = horizon(parts);
    Stream<String> names = parts.stream().flatMap(part -> part.names.stream());
    return new Hits(
        names
            .filter(name -> horizon.isEmpty() || name.compareTo(horizon.get()) <= 0)
            .sorted()
            .toList(),
        horizon);
  }

  /** Returns the name up to which all parts are complete; empty if they are complete to the end. */
  static Optional<String> horizon(List<NamesOfState> parts) {
    return parts.stream()
        .map(NamesOfState::end)
        .filter(end -> !end.isEmpty())
        .min(Comparator.naturalOrder());
  }

  /**
   * Returns the outcome of the job's last attempt, as in {@link Criteria}; {@code none} if it
   * cannot be read.
   */
  public Future<String> lastOutcome(JobName name) {
    int partition = keys.partition(name.key());
    return link.send(Request.cmd(Command.HGET).arg(keys.job(partition, name.key())).arg("latest"))
        .map(
            entry ->
                Optional.ofNullable(entry)
                    .flatMap(text -> StoredJson.findHistory(text.toString()))
                    .map(last -> last.status().word())
                    .orElse("none"))
        .recover(
            failure ->
                RedisErrors.isWrongType(failure)
                    ? Future.succeededFuture("none")
                    : Future.failedFuture(failure));
  }
}
