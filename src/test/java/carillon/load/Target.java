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

/** HTTP server that jobs call. A handler records each call and answers it. */
public final class Target {
  /** Header that names the job. */
  public static final String JOB = "Carillon-Job";

  /** Header with the instant at which the call should be made. */
  public static final String EXPECTED = "Carillon-Scheduled-At";

  /**
   * Next negative port. In Vert.x, all servers with the same negative port share one free port,
   * even those of different targets.
   */
  private static final AtomicInteger FREE_PORTS = new AtomicInteger(MachineInfo.SHARED_FREE_PORT);

  private final int freePort = FREE_PORTS.decrementAndGet();
  private volatile int port;

  private Target() {}

  /** Incoming call. For the event loop that received it. */
  public record Call(HttpServerRequest request) {
    /** Returns the path without its leading slash. */
    public String path() {
      return request.path().substring(1);
    }

    /** Returns the name of the job, or "null" for a call without one. */
    public String job() {
      return String.valueOf(request.getHeader(JOB));
    }

    /** Returns the instant at which the call should be made, or null for a call without one. */
    public String expected() {
      return request.getHeader(EXPECTED);
    }

    /** Returns the id of the execution. */
    public String execution() {
      return request.getHeader("Idempotency-Key");
    }

    /** Returns the region of the calling node. */
    public String region() {
      return request.getHeader("Carillon-Region");
    }

    /** Answers the call. The caller may have disconnected. */
    public void answer(int status) {
      request.response().setStatusCode(status).end().otherwiseEmpty();
    }
  }

  /**
   * Listens on a free port of the loopback interface until Vert.x is closed.
   *
   * @param eventLoops number of event loops that share the port
   * @param handler called on each of them
   */
  public static Future<Target> listen(Vertx vertx, int eventLoops, Consumer<Call> handler) {
    Target target = new Target();
    return vertx
        .deployVerticle(
            () -> target.new Server(handler), new DeploymentOptions().setInstances(eventLoops))
        .map(target);
  }

  /** Returns the URI of the server, without a path. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** Server of one event loop on the shared port. */
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
