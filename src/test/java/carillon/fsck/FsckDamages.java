package carillon.fsck;

import carillon.support.Engine;
import java.util.List;
import java.util.stream.Stream;

/** Damages that fsck must find, each with the commands that cause it. */
final class FsckDamages {
  static final String RUN = " at=2026-11-20T12:00:00Z occurrence=0 main=1 revision=1 crashes=0";
  private static final String OF_NEXT =
      " at=2026-11-21T12:00:00Z occurrence=1 main=1 revision=1 crashes=0";
  private static final String LONG_AGO =
      "{\"end\":\"2026-06-20T12:00:00.000Z\",\"start\":\"2026-06-20T12:00:00Z\","
          + "\"due\":\"2026-06-20T12:00:00Z\",\"status\":\"completed\",\"action\":\"main\","
          + "\"occurrence\":1,\"retry\":0,\"execution\":\"\",\"message\":\"done\"}";

  private static final String AT = "2026-11-20T12:00:00Z ";
  private static final String HUGE = "99999999999999999999";

  private FsckDamages() {}

  /** Returns the command that writes a field with a byte outside UTF-8. */
  private static String strange(String key, String field) {
    return "EVAL|redis.call('HSET', KEYS[1], ARGV[1], '{\\255}')|1|" + key + "|" + field;
  }

  private static String key(String what, String job) {
    String name = Engine.name(job).key();
    return "carillon:{" + Engine.KEYS.partition(name) + "}:" + what + ":" + name;
  }

  static String job(String job) {
    return key("job", job);
  }

  static String due(String job) {
    return Engine.slot(job) + "due";
  }

  private static String finished(String job) {
    return Engine.slot(job) + "finished";
  }

  static String uses(String job) {
    return "carillon:{"
        + Engine.KEYS.partition(Engine.name(job).key())
        + "}:uses:default/default/holidays";
  }

  static String index(String job) {
    String key = key("jobs", job);
    return key.substring(0, key.lastIndexOf('/'));
  }

  private static String member(String kind, String job) {
    return kind + ":" + Engine.name(job).key();
  }

  private static String pause(String since) {
    return "5 {\"since\":\"" + since + "\",\"by\":\"ops\",\"reason\":\"client\"}";
  }

  /**
   * Damage.
   *
   * @param kinds the expected findings, in the order of {@link FindingKind}
   * @param commands that cause it, each one line of words
   */
  record Damage(String name, List<String> kinds, List<String> commands) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Damage damage(String name, String kinds, String... commands) {
    return new Damage(name, List.of(kinds.split(" ")), List.of(commands));
  }

  static Stream<Damage> all() {
    String once = Engine.name("once").key();
    String ghost = Engine.name("ghost").key();
    String ghosts = "carillon:{" + Engine.KEYS.partition(ghost) + "}:";
    String otherPartition = "carillon:{" + (Engine.KEYS.partition(once) + 1) % 4 + "}:";
    String buffered = due("daily").replace(":due", ":list:execution");
    String quota = "carillon:quota:{carillon:collection:default/default/bounded}";
    return Stream.of(
        damage("due entry gone", "not-due", "ZREM|" + due("once") + "|" + member("job", "once")),
        damage(
            "due entry of a recurring job gone",
            "not-due",
            "ZREM|" + due("daily") + "|" + member("job", "daily")),
        damage(
            "due at another instant",
            "wrong-instant",
            "ZADD|" + due("once") + "|99999999999999|" + member("job", "once")),
        damage(
            "due never", "wrong-instant", "ZADD|" + due("once") + "|inf|" + member("job", "once")),
        damage(
            "an execution under way that nothing goes on with",
            "wrong-count",
            "HSET|" + key("executions", "daily") + "|2026-11-20T12:00:00Z 1|calling"),
        damage(
            "an attempt that waits for no other",
            "held-for-ever",
            "HSET|"
                + key("executions", "daily")
                + "|2026-11-20T12:00:00Z 1|"
                + member("run", "daily")
                + RUN,
            "ZADD|" + buffered + "|1|" + member("run", "daily") + RUN),
        damage("what waits is no attempt", "unreadable", "ZADD|" + buffered + "|1|nonsense"),
        damage("no next", "no-next", "HDEL|" + job("daily") + "|next"),
        damage("unreadable next", "no-next", "HSET|" + job("daily") + "|next|soon"),
        damage(
            "nothing left to end it",
            "never-ends",
            "HSET|" + job("once") + "|lastOccurrenceTaken|1",
            "ZREM|" + due("once") + "|" + member("job", "once")),
        damage(
            "no purge",
            "no-purge",
            "DEL|" + finished("done"),
            "HSET|" + job("done") + "|latest|" + LONG_AGO),
        damage("too many open", "wrong-count", "HSET|" + job("once") + "|openExecutions|2"),
        damage(
            "execution not counted",
            "wrong-count",
            "HSET|" + job("once") + "|revision|1|next|2026-11-21T12:00:00Z",
            "ZREM|" + due("once") + "|" + member("job", "once"),
            "ZADD|" + due("once") + "|1795197600000|" + member("run", "once") + RUN,
            "ZADD|" + due("once") + "|1795262400000|" + member("run", "once") + OF_NEXT),
        damage(
            "run lost and still counted",
            "not-due",
            "HSET|" + job("once") + "|openExecutions|1",
            "ZREM|" + due("once") + "|" + member("job", "once")),
        damage(
            "last run lost",
            "wrong-count",
            "HSET|" + job("once") + "|openExecutions|1|lastOccurrenceTaken|1",
            "ZREM|" + due("once") + "|" + member("job", "once")),
        damage(
            "entry without job",
            "due-without-job",
            "ZADD|" + ghosts + "due|1795197600000|job:" + ghost),
        damage("garbage among finished jobs", "unreadable", "RPUSH|" + finished("once") + "|x"),
        damage(
            "entry of a disabled job",
            "due-without-job",
            "ZADD|" + due("off") + "|9795197600000|" + member("job", "off")),
        damage(
            "end of no pause",
            "due-without-job",
            "ZADD|" + due("off") + "|9795197600000|" + member("resume", "off")),
        damage(
            "pause that nothing ends",
            "never-resumes",
            "ZREM|" + due("paused") + "|" + member("resume", "paused")),
        damage("garbled pause", "unreadable", "HSET|" + job("off") + "|pause|tired"),
        damage(
            "overdue run without job",
            "run-without-job",
            "ZADD|" + ghosts + "due|1000|run:" + ghost + RUN),
        damage(
            "garbage in due", "unreadable", "ZADD|" + due("once") + "|9795197600000|what is this"),
        damage(
            "garbled run in due",
            "unreadable",
            "ZADD|" + due("once") + "|9795197600000|run:" + once + " at=x"),
        damage("not listed", "not-indexed", "ZREM|" + index("once") + "|enabled/once"),
        damage(
            "listed in another state",
            "wrong-index",
            "ZADD|" + index("once") + "|0|completed/once"),
        damage("listed out of order", "wrong-index", "ZADD|" + index("once") + "|7|enabled/once"),
        damage("listed without job", "wrong-index", "ZADD|" + index("ghost") + "|0|enabled/ghost"),
        damage("garbage in the list", "unreadable", "ZADD|" + index("once") + "|0|nonsense"),
        damage(
            "history without job",
            "history-without-job",
            "LPUSH|" + key("history", "ghost") + "|x"),
        damage(
            "a calendar does not know its job",
            "no-calendar-entry",
            "SREM|" + uses("free") + "|" + Engine.name("free").key()),
        damage("history lost", "wrong-history-size", "HSET|" + job("done") + "|historyBytes|9"),
        damage(
            "history not counted", "wrong-history-size", "LPUSH|" + key("history", "done") + "|x"),
        damage("garbage for the marks", "unreadable", "HSET|" + job("done") + "|marks|x"),
        damage("garbage for the latest entry", "unreadable", "HSET|" + job("done") + "|latest|x"),
        damage(
            "claims of an unknown node",
            "claims-of-nobody",
            "HSET|carillon:{0}:claims:nobody|run:" + ghost + RUN + "|2026-11-20T12:00:00Z"),
        damage("garbage in claims", "unreadable", "HSET|carillon:{0}:claims:a|junk|x"),
        damage(
            "held back by no disabled marker",
            "held-for-ever",
            "ZADD|carillon:{0}:list:collection:default/default/default|5|run:" + ghost + RUN),
        damage(
            "waiting for a flow where no node looks",
            "held-for-ever",
            "ZADD|carillon:{0}:list:flow:default/default/crm|5|run:" + ghost + RUN),
        damage(
            "a cause without a list",
            "remains",
            "ZADD|carillon:{0}:lists|0|collection:default/default/gone"),
        damage("garbage among the causes", "remains", "ZADD|carillon:{0}:lists|0|garbage"),
        damage("no quota entry", "no-quota-entry", "ZREM|" + quota + "|placed"),
        damage("quota entry without job", "quota-entry-without-job", "ZADD|" + quota + "|0|ghost"),
        damage("garbage in a quota", "unreadable", "ZADD|" + quota + "|0|/"),
        damage(
            "collection gone",
            "no-collection listed-without-collection",
            "DEL|carillon:collection:default/default/default"),
        damage(
            "collection not listed",
            "not-listed",
            "ZREM|carillon:collections:default|default/default"),
        damage(
            "listed without collection",
            "listed-without-collection",
            "ZADD|carillon:collections:default|0|default/ghost"),
        damage(
            "disabled marker of an enabled collection",
            "wrong-disabled-marker",
            "HSET|carillon:gates|default/default/default|closed 2026-11-20T12:00:00Z"),
        damage(
            "disabled marker of no collection",
            "wrong-disabled-marker",
            "HSET|carillon:gates|default/default/ghost|closed 2026-11-20T12:00:00Z"),
        damage(
            "pause without its marker",
            "wrong-disabled-marker",
            "HSET|carillon:pauses|ghost/ghost/*|" + pause("2026-11-20T00:00:00Z")),
        damage(
            "planned pause without its marker",
            "wrong-disabled-marker",
            "HSET|carillon:pauses|ghost/planned/*|" + pause("2035-01-01T00:00:00Z")),
        damage(
            "planned pause of a collection without its marker",
            "wrong-disabled-marker",
            "HSET|carillon:collection:default/default/default|definition|{\"state\":\"enabled\","
                + "\"pause\":"
                + pause("2035-01-01T00:00:00Z").substring(2)
                + "}"),
        damage(
            "damaged pause without its marker",
            "wrong-disabled-marker",
            "HSET|carillon:pauses|ghost/damaged/*|nonsense"),
        damage(
            "disabled marker of no pause",
            "wrong-disabled-marker",
            "HSET|carillon:gates|ghost/none/*|closed 2026-11-20T12:00:00Z 1795176000000"),
        damage(
            "marker of a pause that nobody plans",
            "wrong-disabled-marker",
            "HSET|carillon:gates|ghost/plan/*|planned 2035-01-01T00:00:00Z 5"),
        damage(
            "wrong bound",
            "wrong-limits",
            "HSET|carillon:collection:default/default/bounded|maxJobs|99"),
        damage(
            "fence that nobody takes down",
            "remains",
            "HSET|carillon:{1}:epochs|default/default/ghost|3 3"),
        damage(
            "fence that cannot be read",
            "unreadable",
            "HSET|carillon:{1}:epochs|default/default/default|nonsense"),
        damage(
            "list of dead jobs that nobody sweeps",
            "remains",
            "ZADD|carillon:{1}:deleted:default/default/ghost@4|0|enabled/x"),
        damage(
            "collection that nobody buries",
            "remains",
            "HSET|carillon:collection:default/default/ghost|deletedAt|2026-11-20T12:00:00Z"
                + "|revision|5|epoch|6"),
        damage(
            "job in the wrong partition",
            "wrong-partition",
            "HSET|" + otherPartition + "job:" + once + "|revision|1|state|enabled|definition|{}"),
        damage("definition cut short", "unreadable", "HSET|" + job("once") + "|definition|{\"act"),
        damage("half a job", "unreadable", "HSET|" + job("ghost") + "|openExecutions|1"),
        damage(
            "unreadable counters", "unreadable", "HSET|" + job("daily") + "|failures|many|last|x"),
        damage("an epoch less than 0", "unreadable", "HSET|" + job("once") + "|epoch|-1"),
        damage("an epoch greater than any", "unreadable", "HSET|" + job("once") + "|epoch|" + HUGE),
        damage(
            "an epoch greater than any, of a collection that was deleted",
            "remains unreadable",
            "HSET|" + job("once") + "|epoch|" + HUGE,
            "HSET|carillon:collection:default/default/default|epoch|1",
            "HSET|" + Engine.slot("once") + "epochs|default/default/default|1 0"),
        damage("a revision less than 0", "unreadable", "HSET|" + job("once") + "|revision|-5"),
        damage("a revision with zeros", "unreadable", "HSET|" + job("once") + "|revision|007"),
        damage("no occurrence", "unreadable", "HSET|" + job("daily") + "|occurrence|0"),
        damage("an occurrence before", "unreadable", "HSET|" + job("daily") + "|occurrence|-5"),
        damage("an occurrence in words", "unreadable", "HSET|" + job("daily") + "|occurrence|x"),
        damage(
            "an occurrence too many",
            "unreadable",
            "HSET|" + job("daily") + "|occurrence|2147483648"),
        damage("a definition not in UTF-8", "unreadable", strange(job("once"), "definition")),
        damage("a revision not in UTF-8", "unreadable", strange(job("once"), "revision")),
        damage("a next not in UTF-8", "unreadable", strange(job("daily"), "next")),
        damage("a local time not in UTF-8", "unreadable", strange(job("daily"), "local")),
        damage("a counter not in UTF-8", "unreadable", strange(job("daily"), "failures")),
        damage("a flow that is none", "unreadable", "HSET|carillon:flows|default/default/f|x"),
        damage("a flow not in UTF-8", "unreadable", strange("carillon:flows", "default/default/f")),
        damage("changes of flows uncounted", "unreadable", "HSET|carillon:flows|revision|x"),
        damage(
            "a calendar that is none and changes uncounted",
            "unreadable",
            "HSET|carillon:calendars|revision|-1|default/default/c|1 " + AT + AT + "s/g/other {}"),
        damage("due is a text", "wrong-type", "DEL|" + due("once"), "SET|" + due("once") + "|x"),
        damage("job is a list", "wrong-type", "LPUSH|" + job("ghost") + "|x"),
        damage(
            "index is a text", "wrong-type", "DEL|" + index("once"), "SET|" + index("once") + "|x"),
        damage(
            "history is a text",
            "wrong-type",
            "DEL|" + key("history", "done"),
            "SET|" + key("history", "done") + "|x"),
        damage("disabled markers are a text", "wrong-type", "SET|carillon:gates|x"));
  }
}
