package carillon.redis;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Parsed name of a Redis key: the reading side of {@link Keys}.
 *
 * @param kind kind of the key
 * @param partition of the key, {@link #NOWHERE} if it belongs to none
 * @param name the rest: of a job, a collection, a node; empty if the kind has only one key
 */
public record ParsedKey(Kind kind, int partition, String name) {
  /** Partition number of keys without a partition. */
  public static final int NOWHERE = -1;

  private static final Pattern IN_PARTITION =
      Pattern.compile("\\{(\\d{1,4})}:([a-z]+)(?::(.*))?", Pattern.DOTALL);
  private static final Pattern ELSEWHERE = Pattern.compile("([a-z]+)(?::(.*))?", Pattern.DOTALL);
  private static final Map<String, Kind> PARTED = named(true);
  private static final Map<String, Kind> WHOLE = named(false);

  /** Kinds of the keys that the scheduler needs. */
  public enum Kind {
    JOB("job", "hash", true),
    DUE("due", "zset", true),
    FINISHED("finished", "list", true),
    CLAIMS("claims", "hash", true),
    LIST("list", "zset", true),
    LISTS("lists", "zset", true),
    DEFERRED("deferred", "zset", true),
    DEFERRALS("deferrals", "zset", true),
    EXECUTIONS("executions", "hash", true),
    REQUESTS("requests", "zset", true),
    USES("uses", "set", true),
    PARTED_GATES("gates", "hash", true),
    JOBS("jobs", "zset", true),
    HISTORY("history", "list", true),
    EPOCHS("epochs", "hash", true),
    DELETED("deleted", "zset", true),
    AUDIT("audit", "stream", true),
    OUTCOMES("outcomes", "stream", true),
    META("meta", "hash", false),
    NODES("nodes", "zset", false),
    IDLE_NODES("idle", "zset", false),
    NODE("node", "hash", false),
    OWNER("owner", "string", false),
    GATES("gates", "hash", false),
    PAUSES("pauses", "hash", false),
    GATE_CHANGES("gatechanges", "zset", false),
    NOTICES("notices", "stream", false),
    CLEANUP("cleanup", "zset", false),
    COLLECTIONS("collections", "zset", false),
    COLLECTION("collection", "hash", false),
    QUOTA("quota", "zset", false),
    CLOUD_SERVICES("cloudservices", "hash", false),
    CALENDARS("calendars", "hash", false),
    CALENDAR_CHANGES("calendarchanges", "hash", false),
    FLOWS("flows", "hash", false),
    FLOW("flow", "hash", false),
    FLOW_LOG("flow-log", "list", false),
    COMMON_AUDIT("audit", "stream", false);

    private final String word;
    private final String type;
    private final boolean parted;

    Kind(String word, String type, boolean parted) {
      this.word = word;
      this.type = type;
      this.parted = parted;
    }

    /** The type of such a key, as Redis' TYPE names it. */
    public String type() {
      return type;
    }
  }

  private static Map<String, Kind> named(boolean parted) {
    return Stream.of(Kind.values())
        .filter(kind -> kind.parted == parted)
        .collect(Collectors.toMap(kind -> kind.word, Function.identity()));
  }

  /** Reads what follows the prefix and its colon. */
  static Optional<ParsedKey> parse(String rest) {
    Matcher parted = IN_PARTITION.matcher(rest);
    if (parted.matches()) {
      return Optional.ofNullable(PARTED.get(parted.group(2)))
          .map(
              kind ->
                  new ParsedKey(kind, Integer.parseInt(parted.group(1)), name(parted.group(3))));
    }
    Matcher whole = ELSEWHERE.matcher(rest);
    return whole.matches()
        ? Optional.ofNullable(WHOLE.get(whole.group(1)))
            .map(kind -> new ParsedKey(kind, NOWHERE, name(whole.group(2))))
        : Optional.empty();
  }

  private static String name(String group) {
    return group == null ? "" : group;
  }
}
