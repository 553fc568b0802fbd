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
 * Where all jobs call: it writes each call into the journal before it answers. What it answers, and
 * when, follows from the job's name; those that take their time are on ports of their own, and so
 * other targets to a node. Thread-safe.
 */
final class JournaledTarget implements AutoCloseable {
  /** How the names of jobs begin whose calls are answered 500. */
  static final String FAILING = "fail-";

  /** How the names of jobs begin whose calls take seconds. */
  static final String SLOW = "slow-";

  /** How long those take. */
  static final Duration SECONDS = Duration.ofSeconds(2);

  private static final Duration PAUSE = Duration.ofMillis(20);

  /** Less than a node takes for slow, and more than it needs to fill all places. */
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

  /** Whether calls of this job wait for a place by design. */
  static boolean isSlow(String job) {
    return job.startsWith(SLOW) || job.startsWith(Capacity.PREFIX);
  }

  String url(String job) {
    Target where = job.startsWith(SLOW) ? slow : job.startsWith(Capacity.PREFIX) ? room : usual;
    return where.uri() + "/" + job;
  }

  /** Host and port that the calls of a job go to. */
  String authority(String job) {
    return URI.create(url(job)).getAuthority();
  }

  private Duration pause(String job) {
    return job.startsWith(SLOW) ? SECONDS : job.startsWith(Capacity.PREFIX) ? FILL : PAUSE;
  }

  /** From now on, as if the network between them were cut: no call of this node arrives. */
  void cutOff(String node) {
    cutOff.add(node);
  }

  void reconnect(String node) {
    cutOff.remove(node);
  }

  /** The next call of this node is not answered; {@code then} is told its job. */
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
    // The journal holds it before anybody is answered, with the instant at which that will be.
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
