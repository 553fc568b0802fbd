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
import carillon.job.collection.JobCollection.DamagedCollection;
import carillon.json.Timestamps;
import carillon.store.operation.ActivityCounts;
import carillon.store.operation.DestinationCounts;
import carillon.store.resource.FlowStore;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** Alerts for the operator: what needs attention, and why. Pure. */
final class OperatorAlerts {
  private static final double FULL = 0.8;

  /** The page that lists jobs that failed, where they can be retried. */
  private static final String FAILED = "/failed";

  /** Shares of attempts that fail. */
  private static final double SOME = 0.05;

  private static final double A_LOT = 0.25;

  /** Failed attempts that are more than an accident. */
  private static final int MANY = 5;

  /** With more than one in so many beyond a bound, the 99th percentile is. */
  private static final int ONE_PERCENT = 100;

  /**
   * Seconds, a bound of the histogram. Nodes stand in for each other within one; who is later than
   * this does not keep up.
   */
  private static final double LATE = 5.0;

  private static final int MAX_DESTINATIONS = 3;
  private static final int MAX_JOBS = 5;

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
    facts.overall().checks().forEach(check -> checked(check, items));
    overdue(facts, items);
    facts.overall().redis().forEach(server -> redis(server, items));
    durability(facts, items);
    failing(facts, items);
    slow(facts, items);
    faulted(facts, items);
    facts.jobs().quotas().forEach(quota -> used(quota, items));
    facts.jobs().damaged().forEach(collection -> items.add(damaged(collection)));
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
    long overdue = facts.overall().hour().before();
    Duration into = Duration.between(facts.overall().hour().from(), facts.at());
    if (overdue > 0 && into.toSeconds() >= 2) {
      items.add(
          bad(
              counted(overdue, "entry is", "entries are") + " overdue",
              "They were due before "
                  + facts.overall().hour().from()
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
    long evicted = number(server, "evicted_keys");
    if (evicted > 0) {
      items.add(
          bad(
              "Redis has evicted " + counted(evicted, "key", "keys"),
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
    ActivityCounts recent = recent(facts);
    late(recent, items);
    long all = recent.completed() + recent.failed();
    if (isMany(recent.failed(), all)) {
      items.add(
          new Item(
              recent.failed() >= all * A_LOT ? Severity.BAD : Severity.WARN,
              Math.round(100.0 * recent.failed() / all) + " % of attempts fail",
              failed(recent.failed(), all),
              "/runs?since=15"));
    }
    List<DestinationService.Called> destinations =
        worst(
            facts, one -> isMany(one.all().failed(), one.all().ended()), one -> one.all().failed());
    destinations.stream().limit(MAX_DESTINATIONS).forEach(one -> items.add(failing(one)));
    moreDestinations(destinations, "fails", "fail", items);
    List<RecentFailures.FailingJob> jobs = facts.overall().failures().jobs();
    jobs.stream().limit(MAX_JOBS).forEach(job -> items.add(failing(job)));
    more(facts.overall().failures(), items);
  }

  private static ActivityCounts recent(OverviewService.Facts facts) {
    List<ActivityCounts> minutes = facts.overall().done();
    int from = Math.max(0, minutes.size() - DestinationService.MINUTES);
    return minutes.subList(from, minutes.size()).stream()
        .reduce(ActivityCounts.NONE, ActivityCounts::plus);
  }

  /** Destinations of which something holds, those first of which most is counted. */
  private static List<DestinationService.Called> worst(
      OverviewService.Facts facts,
      Predicate<DestinationService.Called> is,
      ToLongFunction<DestinationService.Called> count) {
    return facts.overall().called().stream()
        .filter(one -> !one.name().equals(DestinationCounts.OTHERS))
        .filter(is)
        .sorted(comparingLong(count).reversed())
        .toList();
  }

  /** That there are more destinations than are named. */
  private static void moreDestinations(
      List<DestinationService.Called> all, String one, String many, List<Item> items) {
    int more = all.size() - MAX_DESTINATIONS;
    if (more > 0) {
      items.add(
          new Item(
              Severity.WARN,
              counted(more, "more destination " + one, "more destinations " + many),
              "The page of destinations has all of them.",
              "/destinations"));
    }
  }

  /** That there are more jobs than are named. */
  private static void more(RecentFailures failures, List<Item> items) {
    int more = failures.jobs().size() - MAX_JOBS;
    if (more > 0) {
      items.add(
          new Item(
              Severity.WARN,
              (failures.isAll() ? "" : "At least ")
                  + counted(more, "more job fails", "more jobs fail"),
              "The list of what failed has all of them; one-time jobs can be retried there.",
              FAILED));
    }
  }

  /** Occurrences that are begun late. */
  private static void late(ActivityCounts recent, List<Item> items) {
    long late = recent.laterThan(LATE);
    if (isOften(late, recent.begun())) {
      items.add(
          new Item(
              Severity.WARN,
              counted(late, "occurrence was", "occurrences were") + " late",
              "Of "
                  + counted(recent.begun(), "occurrence", "occurrences")
                  + " begun in the last 15 minutes so many were begun more than "
                  + seconds(LATE)
                  + " late: nodes were away, or at their limit of executions; add nodes, spread"
                  + " the jobs, or let slow targets keep fewer places.",
              "/nodes"));
    }
  }

  /** Destinations where more than one call in a hundred is slow. */
  private static void slow(OverviewService.Facts facts, List<Item> items) {
    double slow = facts.slow().toMillis() / 1000.0;
    DestinationCounts.BOUNDS.stream()
        .filter(bound -> bound >= slow)
        .findFirst()
        .ifPresent(bound -> slow(facts, bound, items));
  }

  private static void slow(OverviewService.Facts facts, double bound, List<Item> items) {
    List<DestinationService.Called> destinations =
        worst(
            facts,
            one -> isOften(one.all().longerThan(bound), one.all().ended()),
            one -> one.all().longerThan(bound));
    destinations.stream().limit(MAX_DESTINATIONS).forEach(one -> items.add(slow(one, bound)));
    moreDestinations(destinations, "is slow", "are slow", items);
  }

  private static Item slow(DestinationService.Called destination, double bound) {
    return new Item(
        Severity.WARN,
        "Calls of " + destination.name() + " are slow",
        shown(destination.all().longerThan(bound))
            + " of "
            + counted(destination.all().ended(), "attempt", "attempts")
            + " in the last 15 minutes took longer than "
            + seconds(bound)
            + ". A timeout of its jobs, or a flow with a limit, keeps them from taking places of"
            + " others.",
        "/runs?state=slow&since=15&destination=" + encoded(destination.name()));
  }

  private static String seconds(double bound) {
    return new DecimalFormat("0.###", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(bound)
        + " s";
  }

  /** Whether it is more than an accident, and more than one in a hundred. */
  private static boolean isOften(long found, long all) {
    return found >= MANY && found * ONE_PERCENT > all;
  }

  private static boolean isMany(long failed, long all) {
    return failed >= MANY && failed >= all * SOME;
  }

  private static String failed(long failed, long all) {
    return shown(failed)
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
        collectionPage(key.get(0), key.get(1), key.get(2)) + "/j/" + encoded(key.get(3)));
  }

  /** What the addresses of the pages of a group begin with. */
  private static String groupPage(String subscription, String group) {
    boolean isDefault =
        subscription.equalsIgnoreCase("default") && group.equalsIgnoreCase("default");
    return isDefault ? "" : "/g/" + encoded(subscription) + "/" + encoded(group);
  }

  private static String collectionPage(String subscription, String group, String collection) {
    return groupPage(subscription, group) + "/c/" + encoded(collection);
  }

  private static String collectionPage(CollectionName name) {
    return collectionPage(name.subscription(), name.group(), name.collection());
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
              "A one-time job ended without success, or what is stored of a job cannot be"
                  + " understood. The history says which; retry a one-time job to run it again,"
                  + " PUT any other anew.",
              FAILED));
    }
  }

  /** A collection with hardly any place, or none, for another job. */
  private static void used(OverviewService.UsedQuota quota, List<Item> items) {
    if (quota.used() < quota.max() * FULL) {
      return;
    }
    boolean isFull = quota.used() >= quota.max();
    items.add(
        new Item(
            isFull ? Severity.WARN : Severity.NOTE,
            "Collection '"
                + shown(quota.collection())
                + (isFull ? "' is full" : "' is nearly full"),
            "It has "
                + shown(quota.used())
                + " of the "
                + counted(quota.max(), "job", "jobs")
                + " that its quota allows"
                + (isFull ? "; more are refused." : ".")
                + " Delete jobs, or raise maxJobCount.",
            collectionPage(quota.collection()) + "/settings"));
  }

  private static Item damaged(DamagedCollection collection) {
    return bad(
        "Collection '" + shown(collection.name()) + "' is damaged",
        "What Redis holds of it cannot be read: " + collection.reason() + ". PUT it anew.");
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
                            + " are skipped.",
                        collectionPage(one.name()))));
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
    return shown(count) + " " + (count == 1 ? one : many);
  }

  /** A number for people, 1,217. */
  private static String shown(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  private static long number(Map<String, String> server, String field) {
    String text = server.getOrDefault(field, "0");
    return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
  }
}
