package carillon.benchmark;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What the jobs call: answers 200 at once and notes when which job called. */
final class Target {
  /** Of every call: which job makes it. */
  static final String JOB = "x-ms-scheduler-jobid";

  /** Of every call: the instant at which it should be made. */
  static final String EXPECTED = "x-ms-scheduler-expected-execution-time";

  private static final String REFUSING = "/again";
  private static final int UNAVAILABLE = 503;

  private final Map<String, Ledger> ledgers = new ConcurrentHashMap<>();
  private final Set<String> refused = ConcurrentHashMap.newKeySet();
  private volatile int port;

  /** Listens on a free port of the loopback interface. */
  static Future<Target> listen(Vertx vertx) {
    Target target = new Target();
    return vertx
        .deployVerticle(
            () -> target.new Server(),
            new DeploymentOptions().setInstances(MachineInfo.processors()))
        .map(target);
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + port + "/x");
  }

  /** The same, but the first call of each job is refused, and not noted. */
  URI refusingUri() {
    return uri().resolve(REFUSING);
  }

  private boolean refuses(HttpServerRequest request) {
    return request.path().equals(REFUSING) && refused.add(String.valueOf(request.getHeader(JOB)));
  }

  /** From now on calls of these jobs are noted there. */
  Ledger open(Ledger ledger) {
    ledgers.put(ledger.name(), ledger);
    return ledger;
  }

  /** All that were ever opened. */
  Collection<Ledger> ledgers() {
    return ledgers.values();
  }

  private void note(HttpServerRequest request) {
    long now = EpochMicros.now();
    String id = String.valueOf(request.getHeader(JOB));
    int dash = id.lastIndexOf('-');
    Ledger ledger = dash < 0 ? null : ledgers.get(id.substring(0, dash));
    if (ledger != null) {
      ledger.called(
          Integer.parseInt(id, dash + 1, id.length(), 10), now, request.getHeader(EXPECTED));
    }
  }

  /** One event loop's share of the port. */
  private final class Server extends VerticleBase {
    @Override
    public Future<?> start() {
      return vertx
          .createHttpServer()
          .requestHandler(
              request -> {
                if (refuses(request)) {
                  request.response().setStatusCode(UNAVAILABLE).end();
                } else {
                  note(request);
                  request.response().end();
                }
              })
          .listen(MachineInfo.SHARED_FREE_PORT, "127.0.0.1")
          .onSuccess((HttpServer server) -> port = server.actualPort());
    }
  }
}
