package carillon.benchmark;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.net.URI;
import java.util.stream.IntStream;

/**
 * Sends work to a server over keep-alive connections, each with one request at a time, on as many
 * event loops as there are processors.
 *
 * @param connections in all
 */
record Load(Vertx vertx, URI server, int connections) {

  /**
   * Connects, sends, disconnects. Done when all is answered; fails with the first answer that is
   * not a success.
   */
  Future<Void> run(WorkSource work) {
    int loops = Math.min(connections, MachineInfo.processors());
    return Future.all(
            IntStream.range(0, loops)
                .mapToObj(loop -> new LoadVerticle(server, share(loop, loops), work))
                .map(vertx::deployVerticle)
                .toList())
        .mapEmpty();
  }

  private int share(int loop, int loops) {
    return connections / loops + (loop < connections % loops ? 1 : 0);
  }

  /** One request; fails when the answer is not a success. */
  Future<Void> once(Buffer request) {
    WorkSource work =
        new WorkSource(SendRate.count(1), index -> request, (index, sent, answered) -> {});
    return vertx.deployVerticle(new LoadVerticle(server, 1, work)).mapEmpty();
  }
}
