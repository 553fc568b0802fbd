package carillon.load;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Sender of requests to a server over keep-alive connections, each with one request at a time. Uses
 * as many event loops as there are processors.
 *
 * @param connections total number of connections
 */
public record Load(Vertx vertx, URI server, int connections) {
  private static final long LOOK_AGAIN_MS = 1;

  /**
   * Requests to send. Several event loops call all parts concurrently.
   *
   * @param rate selects the next request and its time
   * @param requests bytes of each request
   * @param observer called for every successful answer
   */
  public record Work(SendRate rate, IntFunction<Buffer> requests, Observer observer) {}

  /** Observer of successful answers. */
  public interface Observer {
    /** Called for a successful answer. Both instants are in {@link EpochMicros}. */
    void answered(int index, long sent, long answered);
  }

  /**
   * Connects, sends and disconnects. Completes when all requests are answered. Fails with an
   * IllegalStateException at the first answer that is not a success.
   */
  public Future<Void> run(Work work) {
    int loops = Math.min(connections, MachineInfo.processors());
    return Future.all(
            IntStream.range(0, loops)
                .mapToObj(loop -> new Loop(server, share(loop, loops), work))
                .map(vertx::deployVerticle)
                .toList())
        .mapEmpty();
  }

  private int share(int loop, int loops) {
    return connections / loops + (loop < connections % loops ? 1 : 0);
  }

  /** Sends one request. Fails as {@link #run} does. */
  public Future<Void> once(Buffer request) {
    Work work = new Work(SendRate.count(1), index -> request, (index, sent, answered) -> {});
    return vertx.deployVerticle(new Loop(server, 1, work)).mapEmpty();
  }

  /** Share of one event loop. Its start completes when all requests are answered. */
  private static final class Loop extends VerticleBase {
    private final URI server;
    private final int count;
    private final Work work;
    private final Promise<Void> done = Promise.promise();
    private final List<Connection> connections = new ArrayList<>();
    private final ArrayDeque<Connection> idle = new ArrayDeque<>();
    private NetClient client; // held: a client that nothing refers to closes its connections
    private int ended;

    Loop(URI server, int count, Work work) {
      this.server = server;
      this.count = count;
      this.work = work;
    }

    @Override
    public Future<?> start() {
      client = vertx.createNetClient(new NetClientOptions().setTcpNoDelay(true));
      return Future.all(Stream.generate(this::open).limit(count).toList())
          .compose(
              opened -> {
                List.copyOf(connections).forEach(this::proceed);
                return done.future();
              })
          .eventually(() -> Future.join(connections.stream().map(Connection::close).toList()));
    }

    private Future<Connection> open() {
      return Connection.open(client, server).onSuccess(connections::add);
    }

    private void proceed(Connection connection) {
      int index = work.rate.next();
      if (index >= 0) {
        send(connection, index);
      } else if (index == SendRate.LATER) {
        pause(connection);
      } else if (++ended == connections.size()) {
        done.tryComplete();
      }
    }

    private void send(Connection connection, int index) {
      long sent = EpochMicros.now();
      connection
          .send(work.requests.apply(index))
          .onSuccess(
              response -> {
                if (response.isSuccess()) {
                  work.observer.answered(index, sent, EpochMicros.now());
                  proceed(connection);
                } else {
                  done.tryFail(new IllegalStateException("the scheduler answered " + response));
                }
              })
          .onFailure(done::tryFail);
    }

    private void pause(Connection connection) {
      if (idle.isEmpty()) {
        vertx.setTimer(LOOK_AGAIN_MS, id -> proceedAll());
      }
      idle.add(connection);
    }

    private void proceedAll() {
      List<Connection> waiting = List.copyOf(idle);
      idle.clear();
      waiting.forEach(this::proceed);
    }
  }

  /**
   * Keep-alive connection with one request at a time. Confined to the event loop on which it was
   * opened.
   */
  private static final class Connection {
    private final NetSocket socket;
    private final HttpResponseParser parser = new HttpResponseParser();
    private Promise<HttpResponseParser.Response> outstanding;

    private Connection(NetSocket socket) {
      this.socket = socket;
      socket.handler(this::receive);
      socket.closeHandler(
          closed ->
              fail(
                  new IllegalStateException(
                      "the connection was closed by " + socket.remoteAddress())));
    }

    static Future<Connection> open(NetClient client, URI server) {
      return client.connect(server.getPort(), server.getHost()).map(Connection::new);
    }

    /** Sends a request. The previous request must have been answered. */
    Future<HttpResponseParser.Response> send(Buffer request) {
      outstanding = Promise.promise();
      socket.write(request).onFailure(this::fail);
      return outstanding.future();
    }

    Future<Void> close() {
      return socket.close();
    }

    private void receive(Buffer chunk) {
      try {
        parser.add(chunk).ifPresent(this::complete);
      } catch (RuntimeException e) {
        fail(e);
      }
    }

    private void complete(HttpResponseParser.Response response) {
      outstanding.tryComplete(response);
    }

    private void fail(Throwable failure) {
      if (outstanding != null) {
        outstanding.tryFail(failure);
      }
    }
  }
}
