package carillon.faults;

import carillon.load.Target;
import carillon.support.Await;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Target of all jobs, which writes each call into the journal before it answers. Status and delay
 * of its answer follow from the job's name. Slow jobs call separate ports, which a node treats as
 * separate targets. Thread-safe.
 */
final class JournaledTarget implements AutoCloseable {
  /** Name prefix of jobs whose calls are answered 500. */
  static final String FAILING = "fail-";

  /** Name prefix of jobs whose calls take seconds. */
  static final String SLOW = "slow-";

  /** Duration of a call at a slow target. */
  static final Duration SECONDS = Duration.ofSeconds(2);

  private static final Duration PAUSE = Duration.ofMillis(20);

  /**
   * Duration of a call that measures capacity: too short for a node to treat the target as slow,
   * and long enough to fill all slots.
   */
  private static final Duration FILL = Duration.ofMillis(300);

  private final Vertx vertx = Vertx.vertx();
  private final Journal journal;
  private final Target usual;
  private final Target slow;
  private final Target room;
  private final Set<String> cutOff = ConcurrentHashMap.newKeySet();
  private final ConcurrentHashMap<String, Consumer<String>> trips = new ConcurrentHashMap<>();

  JournaledTarget(Journal journal) {
    this.journal = journal;
    usual = listen();
    slow = listen();
    room = listen();
  }

  private Target listen() {
    return Await.result(Target.listen(vertx, 1, this::called));
  }

  /** Whether calls of this job wait for a slot by design. */
  static boolean isSlow(String job) {
    return job.startsWith(SLOW) || job.startsWith(Capacity.PREFIX);
  }

  String url(String job) {
    Target where = job.startsWith(SLOW) ? slow : job.startsWith(Capacity.PREFIX) ? room : usual;
    return where.uri() + "/" + job;
  }

  /** Returns the host and port that the calls of a job go to. */
  String authority(String job) {
    return URI.create(url(job)).getAuthority();
  }

  private Duration pause(String job) {
    return job.startsWith(SLOW) ? SECONDS : job.startsWith(Capacity.PREFIX) ? FILL : PAUSE;
  }

  /** Drops every call of this node from now on, as if the network were cut. */
  void cutOff(String node) {
    cutOff.add(node);
  }

  void reconnect(String node) {
    cutOff.remove(node);
  }

  /**
   * Leaves the next call of this node unanswered, and passes the job of the call to {@code then}.
   */
  void trip(String node, Consumer<String> then) {
    trips.put(node, then);
  }

  private void called(Target.Call request) {
    Instant arrived = Instant.now();
    String node = request.region();
    if (cutOff.contains(node)) {
      return;
    }
    String job = request.path();
    int status = job.startsWith(FAILING) ? 500 : 200;
    Journal.Call call =
        new Journal.Call(
            job,
            request.execution(),
            Instant.parse(request.expected()),
            arrived,
            node,
            Optional.empty(),
            status);
    Consumer<String> trip = trips.remove(node);
    if (trip != null) {
      journal.add(call);
      vertx.executeBlocking(
          () -> {
            trip.accept(job);
            return null;
          });
      return;
    }
    // The journal has the call before any answer, with the instant of that answer.
    Duration wait = pause(job);
    journal.add(answered(call, arrived.plus(wait)));
    vertx.setTimer(Math.max(1, wait.toMillis()), passed -> request.answer(status));
  }

  private static Journal.Call answered(Journal.Call call, Instant at) {
    return new Journal.Call(
        call.job(),
        call.execution(),
        call.nominal(),
        call.arrived(),
        call.node(),
        Optional.of(at),
        call.status());
  }

  @Override
  public void close() {
    Await.result(vertx.close());
  }
}
