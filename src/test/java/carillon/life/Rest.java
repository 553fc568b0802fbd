package carillon.life;

import carillon.fsck.Finding;
import carillon.fsck.FindingKind;
import carillon.fsck.Fsck;
import carillon.job.StoredJob;
import carillon.job.attempt.HistoryEntry;
import carillon.job.collection.CollectionDefinition;
import carillon.job.name.JobName;
import carillon.json.StoredJson;
import carillon.store.collection.DisabledMarker;
import carillon.support.Await;
import carillon.support.Engine;
import carillon.support.EngineSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Heals everything, waits until all activity has finished, and checks the rules that apply then.
 */
final class Rest {
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(12);

  private static final int ATTEMPTS = 20;

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration LONG_PART = Duration.ofSeconds(20);

  /** Number of seconds within which a recurring job behind a breaker is due. */
  private static final int IDLE_ROUNDS = 7;

  /** Time in which nodes read the flows, begin a probe, and receive its result. */
  private static final Duration LOOKS = Duration.ofSeconds(4);

  /** Time after which an unreported probe is lost. */
  private static final Duration PROBE_PATIENCE =
      EngineSettings.LEASE.plus(EngineSettings.with().dispatch().timeout());

  /** Time within which a node disables a job, even if it loses its connection. */
  private static final Duration PAUSING = Duration.ofSeconds(10);

  /** Time after which other nodes take over an announced change of a disabled marker. */
  private static final Duration ABANDONED = Duration.ofSeconds(11);

  private static final String STATE =
      """
      local claims, overdue, held, first = 0, 0, 0, ''
      for _, key in ipairs(redis.call('KEYS', 'carillon:{*}:claims:*')) do claims = claims + redis.call('HLEN', key) end
      for _, key in ipairs(redis.call('KEYS', 'carillon:{*}:list:*')) do held = held + redis.call('ZCARD', key) end
      for _, key in ipairs(redis.call('KEYS', 'carillon:{*}:due')) do
        local all = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
        for i = 1, #all, 2 do
          if string.sub(all[i], 1, 4) == 'run:' and (first == '' or tonumber(all[i + 1]) < tonumber(first)) then first = all[i + 1] end
          local nominal = redis.call('HGET', string.gsub(key, 'due$', '') .. all[i], 'next') -- missed, it may wait for its turn
          if tonumber(all[i + 1]) <= NOW or (nominal and string.sub(nominal, 1, -2) <= 'ISO') then overdue = overdue + 1 end
        end
      end
      return claims .. ' ' .. held .. ' ' .. overdue .. ' ' .. first .. ' '
      """;

  private final World world;
  private final Requests requests;
  private final boolean hasFlows;

  Rest(World world, Requests requests, boolean hasFlows) {
    this.hasFlows = hasFlows;
    this.world = world;
    this.requests = requests;
  }

  /** Counts of unfinished work. */
  private record State(int claims, int held, int overdue, Optional<Instant> run) {
    boolean isRest() {
      return claims + held + overdue == 0 && run.isEmpty();
    }
  }

  /** Comes to rest. Throws a {@link ViolationException} if a rule is broken. */
  void come() {
    heal();
    if (hasFlows) {
      requests.setFlows(false);
    }
    checkPauses();
    world.target.succeed();
    if (hasFlows) {
      world.model.breakers().forEach(this::checkBreaker);
      world.model.flowsRelax();
      world.putFlows(FlowBook.RELAXED);
    }
    checkDisabledMarkers();
    open();
    comeToRest();
    world.model.check();
    checkJobs();
    checkExecutions();
    checkSoundness();
  }

  private void heal() {
    world.target.release();
    for (Node node : world.nodes) {
      node.start();
      node.wire().disarm();
      node.wire().release(Wire.Way.FORWARD);
      node.wire().release(Wire.Way.FORWARD); // first a late command, then a held one
      node.resume();
    }
    world.doors.forEach(
        door -> {
          door.wire().disarm();
          door.wire().release(Wire.Way.FORWARD);
        });
    world.settle();
    Await.until("answers", () -> world.doors.stream().noneMatch(Door::isPending));
    world.nodes.forEach(Node::beat);
    world.settle();
  }

  /** Checks that the notified node disables a job with too many failures, if it has stayed well. */
  private void checkPauses() {
    try {
      Await.until("jobs that failed too often to be disabled", PAUSING, () -> overdue().isEmpty());
    } catch (AssertionError e) {
      throw new ViolationException(Rule.PAUSED, "jobs go on: " + overdue());
    }
  }

  private List<String> overdue() {
    return IntStream.range(0, World.JOBS)
        .mapToObj(i -> world.model.overdue(Engine.name("j" + i).key(), world::isLiving))
        .flatMap(Optional::stream)
        .toList();
  }

  /** Checks that a breaker closes in time while the target is well and calls wait. */
  private void checkBreaker(String destination) {
    Duration unchanged = Duration.ZERO;
    for (int idle = 0; !world.model.isBreakerClosed(destination) && idle < IDLE_ROUNDS; ) {
      long generation = world.model.breakerGeneration(destination);
      boolean isAwaited = isAwaited(destination);
      Duration most = world.model.breakerBound(destination, PROBE_PATIENCE);
      Duration part = isAwaited && most.equals(PROBE_PATIENCE) ? LONG_PART : SECOND;
      world.forward(part);
      world.lookAtFlows();
      world.poll();
      world.settle();
      boolean isSame = generation == world.model.breakerGeneration(destination);
      idle = isAwaited ? 0 : idle + 1;
      unchanged = !isSame ? Duration.ZERO : isAwaited ? unchanged.plus(part) : unchanged;
      if (unchanged.compareTo(most.plus(LOOKS)) > 0) {
        throw new ViolationException(
            Rule.BREAKER,
            "the breaker of "
                + destination
                + " stays as it is for "
                + unchanged
                + ": "
                + world.redis.dump());
      }
    }
  }

  private boolean isAwaited(String destination) {
    String lists = "KEYS carillon:{*}:list:flow:*" + BreakerBook.FLOW + destination;
    return !world.redis.list(lists).isEmpty();
  }

  private void checkDisabledMarkers() {
    if (requests.isDoubtful()) {
      world.forward(ABANDONED);
      world.nodes.forEach(node -> node.engine().sweep());
      requests.resolved();
    }
    boolean closed = isDisabled();
    List<String> markers =
        world.redis.list("KEYS carillon:*gates").stream()
            .map(key -> hget(key, Engine.COLLECTION.key()))
            .toList();
    if (markers.stream().anyMatch(marker -> DisabledMarker.disables(marker) != closed)) {
      throw new ViolationException(
          Rule.DISABLED_MARKER,
          "the collection is "
              + (closed ? "disabled" : "enabled")
              + ", its markers are "
              + markers);
    }
  }

  private boolean isDisabled() {
    String definition = hget("carillon:collection:" + Engine.COLLECTION.key(), "definition");
    return StoredJson.readCollection(definition).state() != CollectionDefinition.State.ENABLED;
  }

  private String hget(String key, String field) {
    return world.redis.eval("return redis.call('HGET', '" + key + "', '" + field + "') or ''");
  }

  /** Opens the collection, with retries: Redis may have been away just now. */
  private void open() {
    for (int i = 0; i == 0 || (isDisabled() && i < ATTEMPTS); i++) {
      requests.send(new Step(Step.Kind.OPEN, 0, 0, 0, Step.Hold.NONE));
      Await.until("the collection to be open", () -> !requests.isToggleUnderWay());
      world.settle();
    }
    requests.resolved();
  }

  private void comeToRest() {
    long deadline = System.nanoTime() + PATIENCE;
    State state = state();
    for (int i = 0; i < 3 || !state.isRest(); i++) {
      if (System.nanoTime() > deadline) {
        throw new ViolationException(
            Rule.REST, "there is still " + state + ": " + world.redis.dump());
      }
      Duration next =
          state.run.map(at -> Duration.between(world.clock.instant(), at)).orElse(Duration.ZERO);
      boolean isFar = next.toSeconds() > 2;
      world.forward(isFar ? next : Duration.ofSeconds(1));
      if (hasFlows) {
        world.lookAtFlows();
      }
      world.poll();
      world.settle();
      if (i > 5) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20)); // for automatic work
      }
      state = state();
    }
  }

  private State state() {
    String now = Long.toString(world.clock.millis());
    String iso = world.clock.instant().toString().replace("Z", "");
    String state = STATE.replace("NOW", now).replace("ISO", iso);
    String[] words = world.redis.eval(state).split(" ", -1);
    return new State(
        Integer.parseInt(words[0]),
        Integer.parseInt(words[1]),
        Integer.parseInt(words[2]),
        words[3].isEmpty()
            ? Optional.empty()
            : Optional.of(Instant.ofEpochMilli((long) Double.parseDouble(words[3]))));
  }

  private void checkJobs() {
    Engine engine = world.nodes.get(0).engine();
    for (int i = 0; i < World.JOBS; i++) {
      JobName name = Engine.name("j" + i);
      Optional<StoredJob> stored = engine.stores(s -> s.job().reader().find(name));
      Optional<Book> book = world.model.book(name.key());
      if (stored.isPresent() != book.isPresent()) {
        throw new ViolationException(Rule.FINAL, name + ": stored " + stored.isPresent());
      }
      if (stored.isPresent()) {
        List<HistoryEntry> history = engine.history("j" + i);
        new Accounts(name.key(), book.get(), stored.get(), history, world.clock.instant()).check();
        checkOpen(name, stored.get());
      }
    }
  }

  private void checkOpen(JobName name, StoredJob stored) {
    String key = Engine.KEYS.job(Engine.KEYS.partition(name.key()), name.key());
    String open = hget(key, "openExecutions");
    boolean held = !hget(key, "heldAttempt").isEmpty();
    if (!held && !open.isEmpty() && !open.equals("0") && !open.equals("-1")) {
      throw new ViolationException(
          Rule.PLACES, name.key() + " (" + stored.state() + ") has " + open + " open");
    }
  }

  /** Checks that no execution is open for jobs whose executions must not overlap. */
  private void checkExecutions() {
    for (String key : world.redis.list("KEYS carillon:{*}:executions:*")) {
      String left =
          world.redis.eval("return table.concat(redis.call('HGETALL', '" + key + "'), ' ')");
      throw new ViolationException(Rule.OVERLAP, "at rest there is " + key + ": " + left);
    }
  }

  /**
   * Missed occurrences wait for their turn by the clock at that time. After the clock is set back,
   * nobody knows why they are due so late.
   */
  private boolean isPacedByLaterClock(Finding finding) {
    String job = finding.key().substring(finding.key().indexOf("job:") + "job:".length());
    return finding.kind() == FindingKind.WRONG_INSTANT
        && world.witness.wasSetBack()
        && world.model.book(job).filter(book -> !book.current().plan().pace().isZero()).isPresent();
  }

  private void checkSoundness() {
    List<String> found = new ArrayList<>();
    Fsck.Options options = new Fsck.Options(false, Duration.ofMillis(5), Duration.ofDays(60));
    world
        .nodes
        .get(0)
        .engine()
        .stores(
            stores ->
                new Fsck(
                        stores,
                        Engine.KEYS,
                        world.clock,
                        options,
                        (finding, outcome) -> {
                          if (!isPacedByLaterClock(finding)) {
                            found.add(finding.toString());
                          }
                        })
                    .run());
    if (!found.isEmpty()) {
      throw new ViolationException(Rule.FSCK, found.toString());
    }
  }

  /**
   * Checks that each node makes as many concurrent calls of a destination as it has places for it.
   */
  void checkPlaces() {
    world.poll();
    world.settle();
    world.nodes.forEach(Rest::awaitIdle);
    Map<String, String> owners = world.model.owners();
    for (Node node : world.nodes) {
      List<String> own =
          owners.keySet().stream()
              .filter(due -> owners.get(due).equals(node.id()))
              .sorted()
              .toList();
      boolean isLooked = false;
      for (int i = 0; i < own.size() && !isLooked; i++) {
        isLooked = checkPlaces(node, own.get(i));
      }
    }
  }

  /** Waits for the node. Repeated steps after an outage may pause longer than all else is still. */
  private static void awaitIdle(Node node) {
    try {
      node.engine().awaitIdle();
    } catch (AssertionError e) {
      throw new ViolationException(Rule.PLACES, "node " + node.id() + " never comes to rest: " + e);
    }
  }

  /** Returns false if another node polled the partition first and used its own places. */
  private boolean checkPlaces(Node node, String due) {
    int partition = Integer.parseInt(due.substring(due.indexOf('{') + 1, due.indexOf('}')));
    world.target.hold();
    int made = 0;
    for (int i = 0; made < world.places; i++) {
      String job = "place-" + node.id() + partition + "-" + i;
      if (Engine.KEYS.partition(Engine.name(job).key()) == partition) {
        made++;
        node.engine().put(job, once(job));
      }
    }
    world.forward(Duration.ofSeconds(1));
    node.poll();
    try {
      // Shorter than the timeout of a call, which would free the place that a bug keeps.
      Await.until("calls", Duration.ofSeconds(10), () -> world.target.open() >= world.places);
    } catch (AssertionError e) {
      throw new ViolationException(
          Rule.PLACES,
          "node " + node.id() + " has room for " + world.target.open() + " calls at once");
    }
    world.target.release();
    world.settle();
    return node.id().equals(world.model.owners().get(due));
  }

  private String once(String job) {
    return "{\"startTime\":\""
        + world.clock.instant().plusSeconds(1)
        + "\",\"action\":{\"type\":\"http\",\"request\":{\"method\":\"GET\",\"uri\":\""
        + world.target.url(job, true)
        + "\"}}}";
  }
}
