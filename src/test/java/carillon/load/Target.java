package carillon.load;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The HTTP server that jobs call: a handler notes each call and answers it. */
public final class Target {
  /** Header that names the job. */
  public static final String JOB = "Carillon-Job";

  /** Header with the instant at which the call should be made. */
  public static final String EXPECTED = "Carillon-Scheduled-At";

  /**
   * Vert.x: servers that listen on the same negative port share one free port, whosever they are.
   */
  private static final AtomicInteger FREE_PORTS = new AtomicInteger(MachineInfo.SHARED_FREE_PORT);

  private final int freePort = FREE_PORTS.decrementAndGet();
  private volatile int port;

  private Target() {}

  /** A call that has come in. For the event loop that took it. */
  public record Call(HttpServerRequest request) {
    /** Path without the slash that it begins with. */
    public String path() {
      return request.path().substring(1);
    }

    /** Name of the job; "null" of a call that names none. */
    public String job() {
      return String.valueOf(request.getHeader(JOB));
    }

    /** Instant at which the call should be made; null of a call that names none. */
    public String expected() {
      return request.getHeader(EXPECTED);
    }

    /** Id of the execution. */
    public String execution() {
      return request.getHeader("Idempotency-Key");
    }

    /** Region of the node that calls. */
    public String region() {
      return request.getHeader("Carillon-Region");
    }

    /** Answers; who called may be gone. */
    public void answer(int status) {
      request.response().setStatusCode(status).end().otherwiseEmpty();
    }
  }

  /**
   * Listens on a free port of the loopback interface until Vert.x is closed.
   *
   * @param eventLoops that share the port
   * @param handler called on each of them
   */
  public static Future<Target> listen(Vertx vertx, int eventLoops, Consumer<Call> handler) {
    Target target = new Target();
    return vertx
        .deployVerticle(
            () -> target.new Server(handler), new DeploymentOptions().setInstances(eventLoops))
        .map(target);
  }

  /** Where it listens, without a path. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** One event loop's share of the port. */
  private final class Server extends VerticleBase {
    private final Consumer<Call> handler;

    Server(Consumer<Call> handler) {
      this.handler = handler;
    }

    @Override
    public Future<?> start() {
      return vertx
          .createHttpServer()
          .requestHandler(request -> handler.accept(new Call(request)))
          .listen(freePort, "127.0.0.1")
          .onSuccess((HttpServer server) -> port = server.actualPort());
    }
  }
}
