package carillon.dispatch.http;

import carillon.support.Await;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/** Target that keeps requests as they arrived and answers with bytes of the test. */
final class RawTarget {
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final NetServer server;

  /**
   * Listens on an address of this machine.
   *
   * @param answer sent for each request
   */
  RawTarget(Vertx vertx, String host, String answer) {
    this(vertx, host, Buffer.buffer(answer.getBytes(StandardCharsets.ISO_8859_1)));
  }

  RawTarget(Vertx vertx, String host, Buffer answer) {
    this(vertx, host, (socket, number) -> socket.write(answer));
  }

  /**
   * Starts a target with its own behaviour.
   *
   * @param behaviour receives the connection and the number of requests on it
   */
  RawTarget(Vertx vertx, String host, BiConsumer<NetSocket, Integer> behaviour) {
    server =
        Await.result(
            vertx
                .createNetServer()
                .connectHandler(
                    socket -> {
                      connections.incrementAndGet();
                      AtomicInteger number = new AtomicInteger();
                      socket.exceptionHandler(gone -> {});
                      socket.handler(
                          request -> {
                            requests.add(request.toString());
                            behaviour.accept(socket, number.incrementAndGet());
                          });
                    })
                .listen(0, host));
  }

  int port() {
    return server.actualPort();
  }

  String url() {
    return "http://127.0.0.1:" + port() + "/";
  }

  int connections() {
    return connections.get();
  }

  /** Returns the requests in the order of their arrival. */
  List<String> requests() {
    return requests;
  }

  /** Returns the value of a header of a request; empty if the request does not have it. */
  static String header(String request, String name) {
    return request
        .lines()
        .filter(line -> line.regionMatches(true, 0, name + ": ", 0, name.length() + 2))
        .map(line -> line.substring(name.length() + 2))
        .findFirst()
        .orElse("");
  }
}
