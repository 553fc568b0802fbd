package carillon.store.job;

import carillon.job.CollectionName;
import carillon.job.JobName;
import carillon.job.JobState;
import carillon.job.NameRules;
import carillon.json.StoredJson;
import carillon.redis.Keys;
import carillon.redis.Partitions;
import carillon.redis.RedisErrors;
import carillon.redis.RedisLink;
import carillon.redis.Script;
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
 * their labels, none of which is indexed: names are looked at in order, side by side in all
 * partitions, and a search that found too little ends after so many and tells where to go on. It
 * has a few short scripts under way at a time. Confined to the event loop of its link.
 */
public final class JobSearch {
  private static final Script<List<NamesOfState>> FIND =
      Script.returning("find_jobs", states -> states.stream().map(NamesOfState::of).toList());

  /** Names that one script looks at, of all states together. */
  private static final int SLICE = 256;

  /** Names of each partition that one search looks at: 250,000 names of a large collection. */
  public static final int MAX_NAMES = 4096;

  /** What a collection of few names counts for, as it takes a script in each partition too. */
  public static final int NAMES_OF_FEW = 64;

  /** Partitions that are asked side by side: Redis answers others in between. */
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
   * @param prefix how the name begins, folded; empty text for any
   * @param part of the name, folded; empty text for any
   * @param outcome of the last attempt, {@code none} where there was none; empty text for any
   * @param labels that a job must have, with these values
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

    /** The labels as they stand in a stored definition, which needs no escapes for them. */
    private String storedLabels() {
      return labels.entrySet().stream()
          .map(label -> '"' + label.getKey() + "\":\"" + label.getValue() + '"')
          .collect(Collectors.joining("\n"));
    }

    List<String> states() {
      return state.map(one -> List.of(one.word())).orElse(NameSlice.ALL_STATES);
    }

    /** Whether an index answers it, without a search. */
    public boolean isIndexed() {
      return part.isEmpty() && outcome.isEmpty() && labels.isEmpty();
    }

    /** The name after which those that are looked at begin. */
    String begin() {
      return prefix.isEmpty() ? "" : NameRules.justBefore(prefix);
    }

    /** The name before which they end; empty text for the end. */
    String end() {
      return prefix.isEmpty() ? "" : NameRules.justAfter(prefix);
    }

    /** Names that one script looks at, for each state. */
    private int slice() {
      return SLICE / states().size();
    }
  }

  /**
   * Names that were found, in order.
   *
   * @param after the name to go on after; empty when all have been looked at
   */
  public record Hits(List<String> names, Optional<String> after) {}

  /** Names of each partition that a search may still look at, of one collection or of more. */
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
   * Searches on after a name.
   *
   * @param after folded name, empty text for the beginning
   * @param top most names; there may be fewer although there is more to look at
   */
  public Future<Hits> find(CollectionName collection, Criteria wanted, String after, int top) {
    return find(collection, wanted, after, top, new Budget());
  }

  /** Finds jobs as a part of a larger search, whose budget it spends. */
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
   * @param fields of each job that are told, two or none
   * @return for each of the states that are wanted
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
   * @param end the last name looked at; empty text when there are no more
   * @param values of the two fields of each name, where they were asked for; empty texts where they
   *     are absent
   */
  record NamesOfState(String end, List<String> names, List<String> values) {
    static NamesOfState of(Response reply) {
      return new NamesOfState(
          reply.get(0).toString(), NameSlice.names(reply.get(1)), NameSlice.names(reply.get(2)));
    }
  }

  /** What lies after the first end of a part that goes on may have gaps. */
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

  /** Up to where names were looked at in all parts; empty where that is the end. */
  static Optional<String> horizon(List<NamesOfState> parts) {
    return parts.stream()
        .map(NamesOfState::end)
        .filter(end -> !end.isEmpty())
        .min(Comparator.naturalOrder());
  }

  /** How the last attempt of a job went, as in {@link Criteria}; none where that cannot be read. */
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
