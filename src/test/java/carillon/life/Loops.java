package carillon.life;

import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Event loops of all parties. Silence proves nothing on a busy machine, where loops wait for the
 * processor. A completed turn of each loop does.
 */
final class Loops {
  private Loops() {}

  /** Gives each loop a turn. A loop has then finished all tasks that waited before. */
  static void turn(Stream<Vertx> parties) {
    List<CompletableFuture<Void>> turns = new ArrayList<>();
    parties.forEach(
        party -> {
          for (EventExecutor loop : ((VertxInternal) party).nettyEventLoopGroup()) {
            turns.add(CompletableFuture.runAsync(() -> {}, loop));
          }
        });
    turns.forEach(CompletableFuture::join);
  }
}
