package carillon.api.console;

import carillon.api.admin.HealthChecks;
import carillon.job.CollectionDefinition;
import carillon.job.CollectionName;
import carillon.job.JobState;
import carillon.job.WireWord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Alerts for the operator: what needs attention, and why. Pure. */
final class OperatorAlerts {
  private static final double FULL = 0.8;

  private OperatorAlerts() {}

  /** Severity. */
  enum Level implements WireWord {
    /** Something is lost, late or stands still. */
    BAD,
    /** Something will go wrong, or has. */
    WARN,
    /** Something is unusual, perhaps meant. */
    NOTE
  }

  /**
   * One alert.
   *
   * @param what it is, a few words
   * @param why it matters and what to do
   */
  record Item(Level level, String what, String why) {}

  /** All alerts, the worst first. */
  static List<Item> of(OverviewService.Facts facts) {
    List<Item> items = new ArrayList<>();
    facts.checks().forEach(check -> checked(check, items));
    overdue(facts, items);
    facts.redis().forEach(server -> redis(server, items));
    durability(facts, items);
    faulted(facts, items);
    closed(facts, items);
    items.sort((a, b) -> a.level.compareTo(b.level));
    return items;
  }

  private static void checked(HealthChecks.Check check, List<Item> items) {
    switch (check.status()) {
      case UP -> {}
      case WARNING -> items.add(new Item(Level.WARN, "This node: " + check.name(), check.reason()));
      case DOWN -> items.add(bad("This node is not ready: " + check.name(), check.reason()));
    }
  }

  /** Entries due before this minute that nobody has claimed. */
  private static void overdue(OverviewService.Facts facts, List<Item> items) {
    long overdue = facts.hour().before();
    Duration into = Duration.between(facts.hour().from(), facts.at());
    if (overdue > 0 && into.toSeconds() >= 2) {
      items.add(
          bad(
              counted(overdue, "entry is", "entries are") + " overdue",
              "They were due before "
                  + facts.hour().from()
                  + " and no node has claimed them: all nodes may be at their limit of executions, their"
                  + " targets slow, or no node alive."));
    }
  }

  private static void redis(Map<String, String> server, List<Item> items) {
    long used = number(server, "used_memory");
    long maxMemory = number(server, "maxmemory");
    if (maxMemory > 0 && used >= maxMemory * FULL) {
      items.add(
          new Item(
              used >= maxMemory ? Level.BAD : Level.WARN,
              "Redis is " + Math.round(100.0 * used / maxMemory) + " % full",
              "When maxmemory is reached writes are refused: no job is accepted and no attempt"
                  + " recorded. Raise maxmemory, or keep less history."));
    }
    String policy = server.getOrDefault("maxmemory_policy", "noeviction");
    if (!policy.equals("noeviction")) {
      items.add(
          bad(
              "Redis may evict jobs",
              "maxmemory-policy is " + policy + "; it must be noeviction, or jobs are lost."));
    }
    if (number(server, "evicted_keys") > 0) {
      items.add(
          bad(
              "Redis has evicted " + server.get("evicted_keys") + " keys",
              "Jobs may be lost; see maxmemory and maxmemory-policy."));
    }
    failing(server, items, "aof_last_write_status", "Redis cannot write its log");
    failing(server, items, "aof_last_bgrewrite_status", "Redis cannot rewrite its log");
    failing(server, items, "rdb_last_bgsave_status", "Redis cannot save a snapshot");
  }

  private static void failing(
      Map<String, String> server, List<Item> items, String field, String what) {
    if (server.getOrDefault(field, "ok").equals("err")) {
      items.add(
          bad(what, "INFO says " + field + ": err. Usually the disk is full; see Redis' own log."));
    }
  }

  private static void durability(OverviewService.Facts facts, List<Item> items) {
    if ("none".equals(facts.facts().get("durability"))) {
      items.add(
          new Item(
              Level.WARN,
              "Redis keeps nothing on disk",
              "What is accepted is lost when Redis ends; see redis.durability."));
    }
  }

  private static void faulted(OverviewService.Facts facts, List<Item> items) {
    long faulted = facts.jobs().byState().getOrDefault(JobState.FAULTED, 0L);
    if (faulted > 0) {
      items.add(
          new Item(
              Level.WARN,
              counted(faulted, "job has", "jobs have") + " faulted",
              "All attempts of a one-time job failed. Its history says why; PUT it again to run it."));
    }
  }

  private static void closed(OverviewService.Facts facts, List<Item> items) {
    facts.jobs().collections().stream()
        .filter(one -> one.definition().state() != CollectionDefinition.State.ENABLED)
        .forEach(
            one ->
                items.add(
                    new Item(
                        Level.NOTE,
                        "Collection '" + shown(one.name()) + "' is disabled",
                        "None of its jobs runs: one-time jobs wait, occurrences of recurring ones"
                            + " are skipped.")));
  }

  /** The name with its group, unless that is the default one. */
  private static String shown(CollectionName name) {
    return name.group().equalsIgnoreCase("default")
        ? name.collection()
        : name.group() + "/" + name.collection();
  }

  private static Item bad(String what, String why) {
    return new Item(Level.BAD, what, why);
  }

  private static String counted(long count, String one, String many) {
    return count + " " + (count == 1 ? one : many);
  }

  private static long number(Map<String, String> server, String field) {
    String text = server.getOrDefault(field, "0");
    return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
  }
}
