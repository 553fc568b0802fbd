package carillon.benchmark;

import carillon.load.MachineInfo;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The main class of the bare programs. Each runs in a process of its own, as the scheduler does,
 * with as many event loops as one with the embedded Redis has, or more, so that the comparison is
 * fair.
 */
final class BaselineMain {
  /** A server's line of output holds this, then its URL. */
  static final String LISTENING = "listening on ";

  /** The caller's last line. */
  static final String DONE = "all calls are answered";

  private static final int IN_FLIGHT = 1024;
  private static final int CREATED = 201;

  private BaselineMain() {}

  /**
   * Arguments: {@code bare}; {@code storing REDIS PREFIX}; {@code caller TARGET JOBS COUNT WARMUP}.
   */
  public static void main(String[] arguments) {
    Vertx vertx = Vertx.vertx();
    Future<String> said =
        switch (arguments[0]) {
          case "bare" -> serve(vertx, MachineInfo.processors(), Bare::new);
          case "storing" ->
              serve(
                  vertx,
                  MachineInfo.processorsBesideRedis(),
                  () -> new StoreBaseline(arguments[1], arguments[2]));
          default -> call(vertx, URI.create(arguments[1]), arguments);
        };
    said.onSuccess(System.out::println)
        .onFailure(
            failure -> {
              failure.printStackTrace(System.out);
              System.exit(1);
            });
    Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(0)));
  }

  private static Future<String> serve(Vertx vertx, int instances, Supplier<Server> server) {
    AtomicReference<Server> last = new AtomicReference<>();
    return vertx
        .deployVerticle(
            () -> last.updateAndGet(before -> server.get()),
            new DeploymentOptions().setInstances(instances))
        .map(deployed -> LISTENING + "http://127.0.0.1:" + last.get().server.actualPort());
  }

  private static Future<String> call(Vertx vertx, URI target, String[] arguments) {
    int count = Integer.parseInt(arguments[3]);
    int warmUp = Integer.parseInt(arguments[4]);
    return calls(vertx, target, "warmup", warmUp)
        .compose(warm -> calls(vertx, target, arguments[2], count))
        .map(called -> DONE);
  }

  private static Future<Void> calls(Vertx vertx, URI target, String jobs, int count) {
    AtomicInteger next = new AtomicInteger();
    int inFlight = IN_FLIGHT / MachineInfo.processors();
    return Future.all(
            Stream.generate(() -> new BaselineClient(target, jobs, count, inFlight, next))
                .limit(MachineInfo.processors())
                .map(vertx::deployVerticle)
                .toList())
        .mapEmpty();
  }

  /** A server that is a ceiling: one event loop's share of the port. */
  abstract static class Server extends VerticleBase {
    private HttpServer server;

    @Override
    public Future<?> start() {
      server = vertx.createHttpServer().requestHandler(this::handle);
      return server.listen(MachineInfo.SHARED_FREE_PORT, "127.0.0.1");
    }

    /** Answers. */
    abstract void handle(HttpServerRequest request);

    /** Answers that the job is created. */
    static void created(HttpServerRequest request) {
      request.response().setStatusCode(CREATED).end();
    }
  }

  /** Answers 201 and does nothing. */
  private static final class Bare extends Server {
    @Override
    void handle(HttpServerRequest request) {
      created(request);
    }
  }
}
