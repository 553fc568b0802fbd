package carillon.api.http;

import carillon.job.CollectionName;
import carillon.job.JobName;
import carillon.json.Dialect;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The path of a request, understood. The two dialects differ in what comes before the collections
 * and share everything after it:
 *
 * <pre>/jobcollections[/{c}[/enable|/disable|/search
 *                 |/jobs[/{j}[/run|/enable|/disable|/occurrences|/validate|/history[/{id}]]]]]
 * /groups/{s}/{g}/jobcollections...
 * /subscriptions/{s}[/resourceGroups/{g}]/providers/Microsoft.Scheduler/jobCollections...</pre>
 *
 * <p>The fixed words are case-insensitive. Names are decoded once; whether they are good names is
 * for their types to say.
 *
 * @param subscription {@code default} where a native path names none
 * @param group {@code default} where a native path names none; absent where ARM lists a whole
 *     subscription
 * @param names of collection, job and history entry, as far as the path goes
 */
public record ResourcePath(
    Dialect dialect, Kind kind, String subscription, Optional<String> group, List<String> names) {
  private static final String GROUPS = "groups";
  private static final String SUBSCRIPTIONS = "subscriptions";
  private static final String DEFAULT = "default";
  private static final String PROVIDER = "Microsoft.Scheduler";
  private static final String COLLECTIONS = "jobCollections";

  /** What the path names. */
  public enum Kind {
    COLLECTIONS,
    COLLECTION,
    COLLECTION_ENABLE,
    COLLECTION_DISABLE,
    COLLECTION_SEARCH,
    JOBS,
    JOB,
    JOB_RUN,
    JOB_ENABLE,
    JOB_DISABLE,
    JOB_OCCURRENCES,
    JOB_VALIDATE,
    HISTORY,
    HISTORY_ENTRY
  }

  private static final Map<String, Kind> JOB_PARTS =
      Map.of(
          "history", Kind.HISTORY,
          "run", Kind.JOB_RUN,
          "enable", Kind.JOB_ENABLE,
          "disable", Kind.JOB_DISABLE,
          "occurrences", Kind.JOB_OCCURRENCES,
          "validate", Kind.JOB_VALIDATE);

  /** The kinds of which the retired service knew nothing. */
  private static final Set<Kind> NATIVE =
      EnumSet.of(Kind.COLLECTION_SEARCH, Kind.JOB_OCCURRENCES, Kind.JOB_VALIDATE);

  /** The kinds of which the classic dialect knows. */
  private static final Set<Kind> CLASSIC =
      EnumSet.of(Kind.COLLECTION, Kind.JOBS, Kind.JOB, Kind.HISTORY);

  /** The resource at this raw path, if there can be one. */
  public static Optional<ResourcePath> parse(String path) {
    List<String> segments = segments(path);
    if (isWord(segments, 0, COLLECTIONS)) {
      return tail(Dialect.NATIVE, DEFAULT, Optional.of(DEFAULT), from(segments, 1));
    }
    if (isInGroup(segments)) {
      return tail(Dialect.NATIVE, segments.get(1), Optional.of(segments.get(2)), from(segments, 4));
    }
    if (!isWord(segments, 0, SUBSCRIPTIONS)) {
      return Optional.empty();
    }
    if (isProvider(segments, 2)) {
      Optional<ResourcePath> all =
          tail(Dialect.ARM, segments.get(1), Optional.empty(), from(segments, 5));
      return all.filter(resource -> resource.kind == Kind.COLLECTIONS);
    }
    return isWord(segments, 2, "resourceGroups") && isProvider(segments, 4)
        ? tail(Dialect.ARM, segments.get(1), Optional.of(segments.get(3)), from(segments, 7))
            .filter(resource -> !NATIVE.contains(resource.kind))
        : Optional.empty();
  }

  /** Whether the path is of these two dialects, so that it cannot be of another. */
  public static boolean isOurs(List<String> segments) {
    return isWord(segments, 0, COLLECTIONS)
        || isWord(segments, 0, SUBSCRIPTIONS)
        || isInGroup(segments);
  }

  /** Whether it is a native path of a group that it names. */
  private static boolean isInGroup(List<String> segments) {
    return isWord(segments, 0, GROUPS) && isWord(segments, 3, COLLECTIONS);
  }

  /** What follows the name of a cloud service's provider. */
  public static Optional<ResourcePath> classic(
      String subscription, String cloudService, List<String> tail) {
    return tail(Dialect.CLASSIC, subscription, Optional.of(cloudService), tail)
        .filter(resource -> CLASSIC.contains(resource.kind));
  }

  private static Optional<ResourcePath> tail(
      Dialect dialect, String subscription, Optional<String> group, List<String> tail) {
    return kind(tail)
        .map(kind -> new ResourcePath(dialect, kind, subscription, group, names(tail)));
  }

  private static Optional<Kind> kind(List<String> tail) {
    if ((tail.size() > 2 && !isWord(tail, 1, "jobs"))
        || (tail.size() > 4 && !isWord(tail, 3, "history"))) {
      return Optional.empty();
    }
    return switch (tail.size()) {
      case 0 -> Optional.of(Kind.COLLECTIONS);
      case 1 -> Optional.of(Kind.COLLECTION);
      case 2 -> collectionPart(tail);
      case 3 -> Optional.of(Kind.JOB);
      case 4 -> jobPart(tail);
      case 5 -> Optional.of(Kind.HISTORY_ENTRY);
      default -> Optional.empty();
    };
  }

  private static Optional<Kind> collectionPart(List<String> tail) {
    if (isWord(tail, 1, "jobs")) {
      return Optional.of(Kind.JOBS);
    }
    if (isWord(tail, 1, "enable")) {
      return Optional.of(Kind.COLLECTION_ENABLE);
    }
    if (isWord(tail, 1, "disable")) {
      return Optional.of(Kind.COLLECTION_DISABLE);
    }
    return isWord(tail, 1, "search") ? Optional.of(Kind.COLLECTION_SEARCH) : Optional.empty();
  }

  private static Optional<Kind> jobPart(List<String> tail) {
    return Optional.ofNullable(JOB_PARTS.get(tail.get(3).toLowerCase(Locale.ROOT)));
  }

  /** Every second segment is a name. */
  private static List<String> names(List<String> tail) {
    return switch (tail.size()) {
      case 0 -> List.of();
      case 1, 2 -> List.of(tail.get(0));
      case 3, 4 -> List.of(tail.get(0), tail.get(2));
      default -> List.of(tail.get(0), tail.get(2), tail.get(4));
    };
  }

  /** Split before decoding, so that an encoded slash stays within its name. One slash may trail. */
  public static List<String> segments(String path) {
    String bare =
        path.endsWith("/") ? path.substring(1, Math.max(1, path.length() - 1)) : path.substring(1);
    String[] segments = bare.split("/", -1);
    for (int i = 0; i < segments.length; i++) {
      segments[i] = PercentDecoding.decode(segments[i]);
    }
    return List.of(segments);
  }

  private static boolean isProvider(List<String> segments, int at) {
    return isWord(segments, at, "providers")
        && isWord(segments, at + 1, PROVIDER)
        && isWord(segments, at + 2, COLLECTIONS);
  }

  /** In any case of ASCII: beyond it letters are folded to some of these, such as a long s. */
  public static boolean isWord(List<String> segments, int at, String word) {
    return segments.size() > at
        && segments.get(at).equalsIgnoreCase(word)
        && segments.get(at).chars().allMatch(character -> character < 128);
  }

  private static List<String> from(List<String> segments, int start) {
    return segments.subList(start, segments.size());
  }

  /** The collection that the path names or leads through. */
  public CollectionName collection() {
    return new CollectionName(subscription, group.orElseThrow(), names.get(0));
  }

  /** The job that the path names or leads through. */
  public JobName job() {
    return collection().job(names.get(1));
  }

  /** The id of the history entry that the path names. */
  public String historyId() {
    return names.get(2);
  }
}
