package carillon.api.console;

import static java.util.Comparator.comparingLong;

import carillon.api.admin.HealthChecks;
import carillon.flow.FlowGrant.BreakerState;
import carillon.flow.FlowName;
import carillon.job.AttemptRecord;
import carillon.job.CollectionName;
import carillon.job.HistoryEntry;
import carillon.job.JobKey;
import carillon.job.JobState;
import carillon.job.WireWord;
import carillon.job.collection.CollectionDefinition;
import carillon.json.Timestamps;
import carillon.store.operation.ActivityCounts;
import carillon.store.operation.DestinationCounts;
import carillon.store.resource.FlowStore;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Alerts for the operator: what needs attention, and why. Pure. */
final class OperatorAlerts {
  private static final double FULL = 0.8;

  /** Shares of attempts that fail. */
  private static final double SOME = 0.05;

  private static final double A_LOT = 0.25;

  /** Failed attempts that are more than an accident. */
  private static final int MANY = 5;

  private static final int MAX_DESTINATIONS = 3;

  private OperatorAlerts() {}

  /** Severity. */
  enum Severity implements WireWord {
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
   * @param link the page of the console that shows it, behind {@code #}; empty for none
   */
  record Item(Severity level, String what, String why, String link) {
    Item(Severity level, String what, String why) {
      this(level, what, why, "");
    }
  }

  /** All alerts, the worst first. */
  static List<Item> of(OverviewService.Facts facts) {
    List<Item> items = new ArrayList<>();
    facts.checks().forEach(check -> checked(check, items));
    overdue(facts, items);
    facts.redis().forEach(server -> redis(server, items));
    durability(facts, items);
    failing(facts, items);
    faulted(facts, items);
    closed(facts, items);
    facts.jobs().stopped().forEach(flow -> stopped(flow, items));
    items.sort((a, b) -> a.level.compareTo(b.level));
    return items;
  }

  private static void checked(HealthChecks.Check check, List<Item> items) {
    switch (check.status()) {
      case UP -> {}
      case WARNING ->
          items.add(new Item(Severity.WARN, "This node: " + check.name(), check.reason()));
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
                  + " and no node has claimed them: all nodes may be at their limit of executions,"
                  + " their targets slow, or no node alive."));
    }
  }

  private static void redis(Map<String, String> server, List<Item> items) {
    long used = number(server, "used_memory");
    long maxMemory = number(server, "maxmemory");
    if (maxMemory > 0 && used >= maxMemory * FULL) {
      items.add(
          new Item(
              used >= maxMemory ? Severity.BAD : Severity.WARN,
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
              Severity.WARN,
              "Redis keeps nothing on disk",
              "What is accepted is lost when Redis ends; see redis.durability."));
    }
  }

  /** Attempts, jobs and destinations that fail. */
  private static void failing(OverviewService.Facts facts, List<Item> items) {
    List<ActivityCounts> minutes = facts.done();
    int from = Math.max(0, minutes.size() - DestinationService.MINUTES);
    ActivityCounts recent =
        minutes.subList(from, minutes.size()).stream()
            .reduce(ActivityCounts.NONE, ActivityCounts::plus);
    long all = recent.completed() + recent.failed();
    if (isMany(recent.failed(), all)) {
      items.add(
          new Item(
              recent.failed() >= all * A_LOT ? Severity.BAD : Severity.WARN,
              Math.round(100.0 * recent.failed() / all) + " % of attempts fail",
              failed(recent.failed(), all),
              "/runs?since=15"));
    }
    facts.called().stream()
        .filter(one -> isMany(one.all().failed(), one.all().ended()))
        .filter(one -> !one.name().equals(DestinationCounts.OTHERS))
        .sorted(comparingLong((DestinationService.Called one) -> one.all().failed()).reversed())
        .limit(MAX_DESTINATIONS)
        .forEach(one -> items.add(failing(one)));
    facts.failures().jobs().forEach(job -> items.add(failing(job)));
  }

  private static boolean isMany(long failed, long all) {
    return failed >= MANY && failed >= all * SOME;
  }

  private static String failed(long failed, long all) {
    return failed
        + " of "
        + counted(all, "attempt", "attempts")
        + " failed in the last 15 minutes.";
  }

  private static Item failing(DestinationService.Called destination) {
    return new Item(
        Severity.WARN,
        "Calls of " + destination.name() + " fail",
        failed(destination.all().failed(), destination.all().ended()),
        "/runs?since=15&destination=" + encoded(destination.name()));
  }

  private static Item failing(RecentFailures.FailingJob job) {
    AttemptRecord last = job.last();
    List<String> key = new JobKey(last.job()).parts();
    boolean isDefault = key.get(0).equals("default") && key.get(1).equals("default");
    return new Item(
        Severity.WARN,
        "Job '" + (isDefault ? "" : key.get(0) + "/" + key.get(1) + "/") + last.name() + "' fails",
        counted(job.count(), "execution was", "executions were")
            + " given up within a day, and the last one failed: "
            + cause(last.entry()),
        groupPage(key.get(0), key.get(1))
            + "/c/"
            + encoded(key.get(2))
            + "/j/"
            + encoded(key.get(3)));
  }

  /** What the addresses of the pages of a group begin with. */
  private static String groupPage(String subscription, String group) {
    boolean isDefault = subscription.equals("default") && group.equals("default");
    return isDefault ? "" : "/g/" + encoded(subscription) + "/" + encoded(group);
  }

  private static String cause(HistoryEntry entry) {
    return entry.call().statusCode().isPresent()
        ? "status " + entry.call().statusCode().getAsInt() + "."
        : entry.message();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static void faulted(OverviewService.Facts facts, List<Item> items) {
    long faulted = facts.jobs().byState().getOrDefault(JobState.FAULTED, 0L);
    if (faulted > 0) {
      items.add(
          new Item(
              Severity.WARN,
              counted(faulted, "job has", "jobs have") + " faulted",
              "All attempts of a one-time job failed. Its history says why; retry it to run it"
                  + " again.",
              "/runs?state=failed"));
    }
  }

  private static void closed(OverviewService.Facts facts, List<Item> items) {
    facts.jobs().collections().stream()
        .filter(one -> one.definition().state() != CollectionDefinition.State.ENABLED)
        .forEach(
            one ->
                items.add(
                    new Item(
                        Severity.NOTE,
                        "Collection '" + shown(one.name()) + "' is disabled",
                        "None of its jobs runs: one-time jobs wait, occurrences of recurring ones"
                            + " are skipped.")));
  }

  private static void stopped(FlowStore.Stopped stopped, List<Item> items) {
    FlowName name = stopped.flow().name();
    String flow = "flow '" + shown(name) + "'";
    String page = groupPage(name.subscription(), name.group()) + "/flows/" + encoded(name.flow());
    stopped
        .flow()
        .pause()
        .ifPresent(
            pause ->
                items.add(
                    new Item(
                        Severity.NOTE,
                        "F" + flow.substring(1) + " is paused",
                        "By "
                            + pause.by()
                            + pause.note().map(note -> ": " + note).orElse("")
                            + ". Its calls wait until "
                            + pause.until().map(Timestamps::format).orElse("it is resumed")
                            + ".",
                        page)));
    if (stopped.breaker() != BreakerState.CLOSED) {
      items.add(
          new Item(
              Severity.WARN,
              "Breaker of " + flow + " is open",
              "Its calls failed, and all others wait until a probe succeeds. Its log says since"
                  + " when.",
              page));
    }
  }

  private static String shown(FlowName name) {
    return name.group().equalsIgnoreCase("default")
        ? name.flow()
        : name.group() + "/" + name.flow();
  }

  /** The name with its group, unless that is the default one. */
  private static String shown(CollectionName name) {
    return name.group().equalsIgnoreCase("default")
        ? name.collection()
        : name.group() + "/" + name.collection();
  }

  private static Item bad(String what, String why) {
    return new Item(Severity.BAD, what, why);
  }

  private static String counted(long count, String one, String many) {
    return count + " " + (count == 1 ? one : many);
  }

  private static long number(Map<String, String> server, String field) {
    String text = server.getOrDefault(field, "0");
    return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
  }
}
