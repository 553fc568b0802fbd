package carillon.benchmark;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * One event loop's share of a {@link Load}. Its start is done when all is answered, and fails with
 * the first answer that is not a success.
 */
final class LoadVerticle extends VerticleBase {
  private static final long LOOK_AGAIN_MS = 1;

  private final URI server;
  private final int count;
  private final Work work;
  private final Promise<Void> done = Promise.promise();
  private final List<Connection> connections = new ArrayList<>();
  private final ArrayDeque<Connection> idle = new ArrayDeque<>();
  private NetClient client; // held: a client that nothing refers to closes its connections
  private int ended;

  /**
   * @param count of connections
   */
  LoadVerticle(URI server, int count, Work work) {
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
    int index = work.pace().next();
    if (index >= 0) {
      send(connection, index);
    } else if (index == Pace.LATER) {
      pause(connection);
    } else if (++ended == connections.size()) {
      done.tryComplete();
    }
  }

  private void send(Connection connection, int index) {
    long sent = Micros.now();
    connection
        .send(work.requests().apply(index))
        .onSuccess(
            answer -> {
              if (answer.isSuccess()) {
                work.journal().answered(index, sent, Micros.now());
                proceed(connection);
              } else {
                done.tryFail("the scheduler answered " + answer.status() + ": " + answer.body());
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
