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
  private final WorkSource work;
  private final Promise<Void> done = Promise.promise();
  private final List<LoadConnection> connections = new ArrayList<>();
  private final ArrayDeque<LoadConnection> idle = new ArrayDeque<>();
  private NetClient client; // held: a client that nothing refers to closes its connections
  private int ended;

  /**
   * @param count of connections
   */
  LoadVerticle(URI server, int count, WorkSource work) {
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
        .eventually(() -> Future.join(connections.stream().map(LoadConnection::close).toList()));
  }

  private Future<LoadConnection> open() {
    return LoadConnection.open(client, server).onSuccess(connections::add);
  }

  private void proceed(LoadConnection connection) {
    int index = work.pace().next();
    if (index >= 0) {
      send(connection, index);
    } else if (index == SendRate.LATER) {
      pause(connection);
    } else if (++ended == connections.size()) {
      done.tryComplete();
    }
  }

  private void send(LoadConnection connection, int index) {
    long sent = EpochMicros.now();
    connection
        .send(work.requests().apply(index))
        .onSuccess(
            answer -> {
              if (answer.isSuccess()) {
                work.journal().answered(index, sent, EpochMicros.now());
                proceed(connection);
              } else {
                done.tryFail("the scheduler answered " + answer.status() + ": " + answer.body());
              }
            })
        .onFailure(done::tryFail);
  }

  private void pause(LoadConnection connection) {
    if (idle.isEmpty()) {
      vertx.setTimer(LOOK_AGAIN_MS, id -> proceedAll());
    }
    idle.add(connection);
  }

  private void proceedAll() {
    List<LoadConnection> waiting = List.copyOf(idle);
    idle.clear();
    waiting.forEach(this::proceed);
  }
}
