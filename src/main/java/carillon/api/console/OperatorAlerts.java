package carillon.api.console;

import static java.util.Comparator.comparingLong;

import carillon.api.admin.HealthChecks;
import carillon.flow.FlowGrant.BreakerState;
import carillon.flow.FlowName;
import carillon.job.AttemptRecord;
import carillon.job.Pause;
import carillon.job.attempt.HistoryEntry;
import carillon.job.collection.JobCollection;
import carillon.job.collection.JobCollection.DamagedCollection;
import carillon.job.collection.PauseScope;
import carillon.job.name.CollectionName;
import carillon.job.name.JobKey;
import carillon.job.name.JobState;
import carillon.job.name.WireWord;
import carillon.json.text.Timestamps;
import carillon.store.node.NodeStore;
import carillon.store.operation.ActivityCounts;
import carillon.store.operation.DestinationCounts;
import carillon.store.resource.CalendarName;
import carillon.store.resource.FlowStore;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** Alerts for the operator: what needs attention, and why. Pure. */
final class OperatorAlerts {
  private static final double FULL = 0.8;

  /** Page of failed jobs, where they can be retried. */
  private static final String FAILED = "/failed";

  private static final String NODES = "/nodes";

  /** Shares of attempts that fail. */
  private static final double SOME = 0.05;

  private static final double A_LOT = 0.25;

  /** Minimum count for an alert. A lower count may be an accident. */
  private static final int MANY = 5;

  /**
   * Denominator of one percent: if more than 1 in 100 is beyond a bound, so is the 99th percentile.
   */
  private static final int ONE_PERCENT = 100;

  /**
   * Seconds that count as late; a bound of the histogram. Nodes replace each other within this
   * time, so a later execution means that they do not keep up.
   */
  private static final double LATE = 5.0;

  private static final int MAX_DESTINATIONS = 3;
  private static final int MAX_JOBS = 5;
  private static final int MAX_NODES = 5;
  private static final int MAX_CALENDARS = 5;
  private static final int MILLIS = 1000;

  private OperatorAlerts() {}

  /** Severity. */
  enum Severity implements WireWord {
    /** Work is lost, late or blocked. */
    BAD,
    /** Something will go wrong, or has. */
    WARN,
    /** Something is unusual, but perhaps intended. */
    NOTE
  }

  /**
   * Alert.
   *
   * @param what the subject, a few words
   * @param why the reason why it matters, and what to do
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
    List<CalendarName> unreadable = facts.jobs().unreadable();
    unreadable.stream().limit(MAX_CALENDARS).forEach(one -> items.add(unreadable(one)));
    facts.overall().checks().stream()
        .filter(check -> unreadable.isEmpty() || !check.name().equals(HealthChecks.CALENDARS))
        .forEach(check -> checked(check, items));
    overdue(facts, items);
    dead(facts.overall().dead(), items);
    facts.overall().redis().forEach(server -> redis(server, items));
    durability(facts, items);
    failing(facts, items);
    slow(facts, items);
    faulted(facts, items);
    facts.jobs().quotas().forEach(quota -> used(quota, items));
    facts.jobs().damaged().forEach(collection -> items.add(damaged(collection)));
    facts
        .overall()
        .pauses()
        .forEach(
            (key, pause) -> {
              items.add(paused(facts, key, pause));
              pause.planned().ifPresent(plan -> items.add(paused(facts, key, plan)));
            });
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

  /** Adds an alert about entries due before this minute that nobody has claimed. */
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

  /** Dead nodes. A node that beats again leaves the list. */
  private static void dead(List<NodeStore.Member> nodes, List<Item> items) {
    nodes.stream().limit(MAX_NODES).forEach(node -> items.add(dead(node)));
    int more = nodes.size() - MAX_NODES;
    if (more > 0) {
      items.add(
          new Item(
              Severity.WARN,
              counted(more, "more node", "more nodes") + " died",
              "The page of nodes has all of them.",
              NODES));
    }
  }

  private static Item dead(NodeStore.Member node) {
    return new Item(
        Severity.WARN,
        "Node '" + node.id() + "' died",
        "Its last heartbeat was at "
            + Timestamps.format(Instant.ofEpochSecond(node.beat() / MILLIS))
            + "; the other nodes take its claims over. Start it again, or leave it: it is listed"
            + " for an hour.",
        NODES);
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
    double share =
        shareNow(lastMinutes(facts), ActivityCounts::failed, one -> one.completed() + one.failed());
    if (isMany(recent.failed(), share)) {
      items.add(
          new Item(
              share >= A_LOT ? Severity.BAD : Severity.WARN,
              Math.round(100 * share) + " % of attempts fail",
              failed(recent.failed(), recent.completed() + recent.failed())
                  + mostOf(recent.failed(), facts),
              "/runs?since=15"));
    }
    List<DestinationService.Called> destinations =
        worst(facts, OperatorAlerts::fails, one -> one.all().failed());
    destinations.stream().limit(MAX_DESTINATIONS).forEach(one -> items.add(failing(one)));
    moreDestinations(destinations, "fails", "fail", items);
    List<RecentFailures.FailingJob> jobs = facts.overall().failures().jobs();
    jobs.stream().limit(MAX_JOBS).forEach(job -> items.add(failing(job)));
    more(facts.overall().failures(), items);
  }

  private static ActivityCounts recent(OverviewService.Facts facts) {
    return lastMinutes(facts).stream().reduce(ActivityCounts.NONE, ActivityCounts::plus);
  }

  private static List<ActivityCounts> lastMinutes(OverviewService.Facts facts) {
    List<ActivityCounts> minutes = facts.overall().done();
    int from = Math.max(0, minutes.size() - DestinationService.MINUTES);
    return minutes.subList(from, minutes.size());
  }

  /**
   * The part of the attempts that fail now. Each minute counts half as much as the next one: a few
   * minutes of success outweigh earlier failures.
   */
  private static <T> double shareNow(
      List<T> minutes, ToLongFunction<T> failed, ToLongFunction<T> ended) {
    double failing = 0;
    double all = 0;
    for (T minute : minutes) {
      failing = failing / 2 + failed.applyAsLong(minute);
      all = all / 2 + ended.applyAsLong(minute);
    }
    return all == 0 ? 0 : failing / all;
  }

  private static boolean fails(DestinationService.Called destination) {
    double share =
        shareNow(destination.minutes(), DestinationCounts::failed, DestinationCounts::ended);
    return isMany(destination.all().failed(), share);
  }

  /** Names the destination of most failures, if one has most of them. */
  private static String mostOf(long failed, OverviewService.Facts facts) {
    return worst(facts, one -> one.all().failed() * 2 > failed, one -> one.all().failed()).stream()
        .findFirst()
        .map(one -> " Most of them called " + one.name() + ".")
        .orElse("");
  }

  /** Returns the destinations with this property, those with the highest count first. */
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

  /** Adds an alert if there are more destinations than are named. */
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

  /** Adds an alert if there are more jobs than are named. */
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

  /** Adds an alert about occurrences that begin late. */
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
              NODES));
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

  private static boolean isMany(long failed, double share) {
    return failed >= MANY && share >= SOME;
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
    String name =
        "Job '" + (isDefault ? "" : key.get(0) + "/" + key.get(1) + "/") + last.name() + "'";
    String page = collectionPage(key.get(0), key.get(1), key.get(2)) + "/j/" + encoded(key.get(3));
    return job.stopped()
        .map(pause -> stopped(name, pause, last, page))
        .orElseGet(
            () ->
                new Item(
                    Severity.WARN,
                    name + " fails",
                    counted(job.count(), "execution was", "executions were")
                        + " given up within a day, and the last one failed: "
                        + cause(last.entry()),
                    page));
  }

  /**
   * Returns the alert about a stopped job. It is bad, because the job stays stopped until somebody
   * acts.
   */
  private static Item stopped(String job, Pause pause, AttemptRecord last, String page) {
    return new Item(
        Severity.BAD,
        job + " was " + pause.note().orElse("stopped"),
        "It is disabled since "
            + Timestamps.format(pause.since().truncatedTo(ChronoUnit.SECONDS))
            + " and does not run until somebody enables it. The last failure: "
            + cause(last.entry()),
        page);
  }

  /** Returns the beginning of the addresses of a group's pages. */
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

  private static Item unreadable(CalendarName calendar) {
    return new Item(
        Severity.BAD,
        "Calendar '" + shown(calendar) + "' cannot be read",
        "The jobs that name it wait, as it may exclude any time. Put it again, or delete it.",
        groupPage(calendar.subscription(), calendar.group()) + "/calendars");
  }

  private static String shown(CalendarName name) {
    return groupPage(name.subscription(), name.group()).isEmpty() ? name.calendar() : name.path();
  }

  private static Item damaged(DamagedCollection collection) {
    return bad(
        "Collection '" + shown(collection.name()) + "' is damaged",
        "What Redis holds of it cannot be read: " + collection.reason() + ". PUT it anew.");
  }

  private static Item paused(OverviewService.Facts facts, String key, Pause pause) {
    PauseScope scope = new PauseScope(key);
    String what = scope.isEverything() ? "Everything" : "Group '" + scope.group() + "'";
    boolean isPlanned = pause.since().isAfter(facts.at());
    return new Item(
        isPlanned ? Severity.NOTE : Severity.WARN,
        what + (isPlanned ? " will be paused" : " is paused"),
        paused(pause, "it is resumed")
            + (isPlanned ? begins(pause) : "")
            + "No job of it runs in the pause: one-time jobs wait, occurrences of recurring ones are"
            + " skipped.",
        page(scope));
  }

  /** The page of the collections of a group, which shows its pause. */
  private static String page(PauseScope scope) {
    String[] names = scope.group().split("/", 2);
    return scope.isEverything() ? "" : groupPage(names[0], names[1]) + "/collections";
  }

  private static void closed(OverviewService.Facts facts, List<Item> items) {
    facts.jobs().collections().stream()
        .filter(one -> one.definition().needsMarker())
        .forEach(one -> items.add(closed(one, one.definition().holds(facts.at()))));
  }

  /** A collection whose jobs do not run, or will not. */
  private static Item closed(JobCollection one, boolean isNow) {
    Optional<Pause> pause = one.definition().pause();
    return new Item(
        Severity.NOTE,
        "Collection '" + shown(one.name()) + (isNow ? "' is disabled" : "' will be disabled"),
        pause.map(it -> paused(it, "it is enabled")).orElse("")
            + (isNow ? "" : begins(pause.orElseThrow()))
            + (isNow ? "None of its jobs runs: " : "None of its jobs runs in it: ")
            + "one-time jobs wait, occurrences of recurring ones are skipped.",
        collectionPage(one.name()));
  }

  private static String begins(Pause pause) {
    return "The pause begins at " + Timestamps.format(pause.since()) + ". ";
  }

  /**
   * Describes who paused it, why and until when.
   *
   * @param otherwise event that ends a pause without an end
   */
  private static String paused(Pause pause, String otherwise) {
    return "By "
        + pause.by()
        + pause.note().map(note -> ": " + note).orElse("")
        + ", until "
        + pause.until().map(Timestamps::format).orElse(otherwise)
        + ". ";
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
              "Calls to a destination failed, and all others there wait until a probe succeeds. Its"
                  + " log says which, and since when.",
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
