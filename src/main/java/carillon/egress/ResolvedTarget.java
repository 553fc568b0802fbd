package carillon.egress;

import io.vertx.core.Future;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What was found about a host and port: addresses that take turns, or a failure. */
final class ResolvedTarget {
  /** For what cannot change. */
  static final long NEVER = Long.MAX_VALUE;

  /** One for each turn. */
  private final List<Future<List<SocketAddress>>> answers;

  private final long expiry;
  private int turn;

  private ResolvedTarget(List<Future<List<SocketAddress>>> answers, long expiry) {
    this.answers = answers;
    this.expiry = expiry;
  }

  /**
   * These addresses may be connected to.
   *
   * @param allowed they take turns at being the first
   * @param spare for when none of them can be reached
   * @param expiry nanoseconds of the caller's clock, or {@link #NEVER}
   */
  static ResolvedTarget of(
      List<InetAddress> allowed, List<InetAddress> spare, int port, long expiry) {
    List<Future<List<SocketAddress>>> answers = new ArrayList<>();
    for (int first = 0; first < allowed.size(); first++) {
      List<InetAddress> turn = new ArrayList<>(allowed);
      Collections.rotate(turn, -first);
      turn.addAll(spare);
      answers.add(
          Future.succeededFuture(
              turn.stream()
                  .map(a -> SocketAddress.inetSocketAddress(new InetSocketAddress(a, port)))
                  .toList()));
    }
    return new ResolvedTarget(answers, expiry);
  }

  static ResolvedTarget of(Throwable failure, long expiry) {
    return new ResolvedTarget(List.of(Future.failedFuture(failure)), expiry);
  }

  boolean isFresh(long now) {
    return expiry == NEVER || now - expiry < 0;
  }

  Future<List<SocketAddress>> next() {
    Future<List<SocketAddress>> answer = answers.get(turn);
    turn = (turn + 1) % answers.size();
    return answer;
  }
}
