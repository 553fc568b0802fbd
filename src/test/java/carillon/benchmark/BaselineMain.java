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
 * Main class of the bare programs. Each runs in a separate process, like the scheduler. For a fair
 * comparison, it has at least as many event loops as a scheduler with the embedded Redis.
 */
final class BaselineMain {
  /** Text in the output line of a server, followed by its URL. */
  static final String LISTENING = "listening on ";

  /** Last line of the caller. */
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

  /** Server that is a ceiling. Each instance is the share of one event loop of the port. */
  abstract static class Server extends VerticleBase {
    private HttpServer server;

    @Override
    public Future<?> start() {
      server = vertx.createHttpServer().requestHandler(this::handle);
      return server.listen(MachineInfo.SHARED_FREE_PORT, "127.0.0.1");
    }

    /** Answers the request. */
    abstract void handle(HttpServerRequest request);

    /** Answers that the job is created. */
    static void created(HttpServerRequest request) {
      request.response().setStatusCode(CREATED).end();
    }
  }

  /** Server that answers 201 and does nothing else. */
  private static final class Bare extends Server {
    @Override
    void handle(HttpServerRequest request) {
      created(request);
    }
  }
}
