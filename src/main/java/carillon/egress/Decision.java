package carillon.egress;

import io.vertx.core.Future;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** What was found about a host and port: addresses that take turns, or a failure. */
final class Decision {
  /** For what cannot change. */
  static final long NEVER = Long.MAX_VALUE;

  private final List<Future<SocketAddress>> answers;
  private final long expiry;
  private int turn;

  private Decision(List<Future<SocketAddress>> answers, long expiry) {
    this.answers = answers;
    this.expiry = expiry;
  }

  /**
   * These addresses may be connected to.
   *
   * @param expiry nanoseconds of the caller's clock, or {@link #NEVER}
   */
  static Decision of(List<InetAddress> allowed, int port, long expiry) {
    return new Decision(
        allowed.stream()
            .map(a -> SocketAddress.inetSocketAddress(new InetSocketAddress(a, port)))
            .map(Future::succeededFuture)
            .toList(),
        expiry);
  }

  static Decision of(Throwable failure, long expiry) {
    return new Decision(List.of(Future.failedFuture(failure)), expiry);
  }

  boolean isFresh(long now) {
    return expiry == NEVER || now - expiry < 0;
  }

  Future<SocketAddress> next() {
    Future<SocketAddress> answer = answers.get(turn);
    turn = (turn + 1) % answers.size();
    return answer;
  }
}
