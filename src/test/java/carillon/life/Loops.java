package carillon.life;

import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * The event loops of all parties. That none of them says anything for a while means nothing on a
 * machine that lets them wait for the processor; that each has had its turn means something.
 */
final class Loops {
  private Loops() {}

  /** Gives each loop a turn: it has done by then what waited for it before. */
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
