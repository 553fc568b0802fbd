package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import carillon.support.CarillonProcess;
import carillon.support.Ledger;
import carillon.support.Ports;
import carillon.support.RedisServer;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Test of a Redis that fails while a node starts, after the node's first check of Redis, or while
 * it stops.
 */
class StartRedisLossIT extends ProcessTestBase {
  private static final String LOOPBACK = "127.0.0.1";
  private static final String STARTING = "This node is starting.";
  private static final int MOMENTS = Integer.getInteger("start.moments", 6);
  private static final int STOPS = Integer.getInteger("start.stops", 2);

  /** Warning of an event loop that a busy machine delays, with its stack trace. */
  private static final Pattern LATE_LOOP =
      Pattern.compile("(?m)^.*BlockedThreadChecker.*\\R(?:(?!\\d{4}-).*\\R)*");

  private static final Duration AWAY = Duration.ofMillis(600);

  private final Random random = new Random();
  private final HttpClient http = HttpClient.newHttpClient();
  private final int port = Ports.free();

  private CarillonProcess launch(URI redis, int eventLoops) {
    return CarillonProcess.launch(
        dir,
        on(
            redis.toString(),
            "CARILLON_HTTP_PORT",
            Integer.toString(port),
            "CARILLON_NODE_EVENT_LOOPS",
            Integer.toString(eventLoops)));
  }

  @Test
  void aRedisThatGoesAwayAtAnyMomentOfTheStartIsWaitedFor() {
    List<Integer> moments = new ArrayList<>();
    try (RedisServer redis = RedisServer.startWithPort();
        Ledger ledger = new Ledger(Duration.ofMillis(1));
        Cutter cutter = new Cutter(redis.port())) {
      int step = requestsOfAStart(cutter) / MOMENTS;
      for (int moment = 0; moment < MOMENTS; moment++) {
        int request = 1 + moment * step + random.nextInt(step);
        moments.add(request);
        cutter.cutAt(request);
        try (CarillonProcess node = launch(cutter.uri(), moment % 2 == 0 ? 1 : 3)) {
          Await.until(() -> "request " + request + node.errors(), cutter::isCut);
          assertStarts(node);
          cutter.mend();
          assertGoesOn(node, ledger, "j" + moment);
        }
      }
    }
    System.out.printf("starts that Redis left at request %s went on%n", moments);
  }

  @Test
  void aRedisThatIsKilledAsSoonAsThePortIsOpenIsWaitedFor() {
    try (RedisServer redis = RedisServer.startWithPort();
        Ledger ledger = new Ledger(Duration.ofMillis(1));
        CarillonProcess node = launchAndKill(redis)) {
      assertStarts(node);
      redis.restart();
      assertGoesOn(node, ledger, "j");
    }
  }

  @Test
  void aNodeThatWaitsForRedisEndsWhenToldTo() {
    try (RedisServer redis = RedisServer.startWithPort();
        CarillonProcess node = launchAndKill(redis)) {
      assertStarts(node);

      assertCleanEnd(node.terminate());
    }
  }

  @Test
  void aNodeThatWaitsForASilentRedisAtAnyMomentEndsWhenToldTo() {
    behindACutter(
        (redis, cutter) -> {
          int request = 1 + random.nextInt(20); // a request of a dispatcher, the API or the timer
          cutter.cutAt(request);
          try (CarillonProcess node = launch(cutter.uri(), 3)) {
            Await.until("request " + request, PATIENCE, cutter::isCut);
            redis.pause();
            cutter.mend();
            assertStarts(node);

            assertCleanEnd(node.terminate());
          }
          redis.resume();
        });
  }

  @Test
  void aNodeThatIsToldToEndWhileItStartsEndsCleanly() {
    behindACutter(
        (redis, cutter) -> {
          try (CarillonProcess node = launch(cutter.uri(), 2)) {
            Await.until("a connection", PATIENCE, cutter::isReached);
            pause(Duration.ofMillis(random.nextInt(1000)));

            assertCleanEnd(node.terminate());
          }
        });
  }

  @Test
  void aRedisThatGoesAwayWhileANodeStopsDoesNotKeepIt() {
    behindACutter(
        (redis, cutter) -> {
          try (CarillonProcess node = launch(cutter.uri(), 2)) {
            node.awaitReady();
            cutter.cutAt(1 + random.nextInt(12));

            assertCleanEnd(node.terminate());
          }
        });
  }

  /** Stops {@code STOPS} nodes, each with a working connection at the start. */
  private static void behindACutter(BiConsumer<RedisServer, Cutter> stop) {
    try (RedisServer redis = RedisServer.startWithPort();
        Cutter cutter = new Cutter(redis.port())) {
      for (int i = 0; i < STOPS; i++) {
        cutter.mend();
        stop.accept(redis, cutter);
      }
    }
  }

  private int requestsOfAStart(Cutter cutter) {
    try (CarillonProcess node = launch(cutter.uri(), 1)) {
      node.awaitReady();
      int requests = cutter.requests();
      assertCleanEnd(node.terminate());
      return requests;
    }
  }

  /** Starts a node, and kills its Redis as soon as its port is open permanently. */
  private CarillonProcess launchAndKill(RedisServer redis) {
    CarillonProcess node = launch(redis.tcpUri(), 1);
    Await.until("an answer", PATIENCE, this::isAnswering);
    redis.kill9();
    return node;
  }

  /** Whether the API answers. A starting node opens its port as a trial and closes it again. */
  private boolean isAnswering() {
    try {
      return !askReadiness().isEmpty();
    } catch (IOException e) {
      return false;
    }
  }

  /** Asserts that a node without Redis keeps running and reports why it is not ready. */
  private void assertStarts(CarillonProcess node) {
    pause(AWAY);
    assertTrue(node.isAlive(), node::errors);
    Await.until("the reason", PATIENCE, () -> isNotReadyForAReason(node));
  }

  /** The port may be closed still, or again. */
  private boolean isNotReadyForAReason(CarillonProcess node) {
    try {
      String ready = askReadiness();
      return ready.startsWith("503 ")
          && (ready.contains(STARTING) || node.output().contains("listening on"));
    } catch (IOException e) {
      return true;
    }
  }

  private String askReadiness() throws IOException {
    try {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(
                      URI.create("http://" + LOOPBACK + ":" + port + "/health/ready"))
                  .timeout(PATIENCE)
                  .build(),
              BodyHandlers.ofString());
      return answer.statusCode() + " " + answer.body();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void pause(Duration time) {
    Instant then = Instant.now().plus(time);
    Await.until("a pause", () -> Instant.now().isAfter(then));
  }

  /** Asserts that a node runs a job after the return of its Redis, and stops on request. */
  private static void assertGoesOn(CarillonProcess node, Ledger ledger, String job) {
    node.awaitReady();
    Await.until("readiness", PATIENCE, () -> node.get("/health/ready").statusCode() == 200);
    assertEquals(
        201, node.send("PUT", Jobs.PATH + job, Jobs.now(ledger.url(job))).statusCode(), job);
    Await.until("the call", PATIENCE, () -> !Jobs.history(node, job).isEmpty());
    assertEquals(1, ledger.calls(job).size(), job);
    assertCleanEnd(node.terminate());
  }

  private static void assertCleanEnd(CarillonProcess.Exit exit) {
    assertEquals(0, exit.code(), () -> exit.out() + exit.err());
    assertEquals("", exit.err(), exit::out);
    String out = LATE_LOOP.matcher(exit.out()).replaceAll("");
    assertFalse(out.contains("\tat "), exit::out);
    assertFalse(out.contains("Exception"), exit::out);
    assertFalse(exit.out().contains(" ERROR "), exit::out);
  }

  /**
   * Proxy between a node and Redis that cuts all connections at a request, until it is repaired.
   * The requests of the first connection, with which a node checks Redis, do not count.
   */
  private static final class Cutter implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final NetClient client = vertx.createNetClient();
    private final Set<NetSocket> open = ConcurrentHashMap.newKeySet();
    private final int redis;
    private final NetServer server;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();
    private volatile int cutAt = Integer.MAX_VALUE;

    Cutter(int redis) {
      this.redis = redis;
      server =
          Await.result(vertx.createNetServer().connectHandler(this::connect).listen(0, LOOPBACK));
    }

    URI uri() {
      return URI.create("redis://" + LOOPBACK + ":" + server.actualPort());
    }

    boolean isReached() {
      return connections.get() > 0;
    }

    /** Returns the number of requests since the last repair. */
    int requests() {
      return requests.get();
    }

    boolean isCut() {
      return requests.get() >= cutAt;
    }

    /** Starts counting, and cuts the connections at this request. */
    void cutAt(int request) {
      connections.set(0);
      requests.set(0);
      cutAt = request;
    }

    void mend() {
      cutAt(Integer.MAX_VALUE);
    }

    private void connect(NetSocket node) {
      boolean counts = connections.incrementAndGet() > 1;
      open.add(node);
      node.closeHandler(closed -> open.remove(node));
      if (isCut()) {
        node.close();
        return;
      }
      node.pause();
      client
          .connect(redis, LOOPBACK)
          .onFailure(refused -> node.close())
          .onSuccess(
              socket -> {
                open.add(socket);
                socket.closeHandler(closed -> node.close()).handler(node::write);
                node.closeHandler(closed -> socket.close());
                node.handler(bytes -> pass(bytes, socket, counts));
                node.resume();
              });
    }

    /** Redis performs the request at which the cut happens, but its answer is lost. */
    private void pass(Buffer bytes, NetSocket socket, boolean counts) {
      socket.write(bytes);
      requests.addAndGet(counts ? 1 : 0);
      if (isCut()) {
        open.forEach(NetSocket::close);
        open.clear();
      }
    }

    @Override
    public void close() {
      Await.result(vertx.close());
    }
  }
}
