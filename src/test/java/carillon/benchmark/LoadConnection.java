package carillon.benchmark;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import java.net.URI;

/**
 * A keep-alive connection with one request at a time. Confined to the event loop on which it was
 * opened.
 */
final class LoadConnection {
  private final NetSocket socket;
  private final HttpResponseParser reader = new HttpResponseParser();
  private Promise<HttpResponse> outstanding;

  private LoadConnection(NetSocket socket) {
    this.socket = socket;
    socket.handler(this::receive);
    socket.closeHandler(
        closed ->
            fail(
                new IllegalStateException(
                    "the connection was closed by " + socket.remoteAddress())));
  }

  static Future<LoadConnection> open(NetClient client, URI server) {
    return client.connect(server.getPort(), server.getHost()).map(LoadConnection::new);
  }

  /** To be called when the one before has been answered. */
  Future<HttpResponse> send(Buffer request) {
    outstanding = Promise.promise();
    socket.write(request).onFailure(this::fail);
    return outstanding.future();
  }

  Future<Void> close() {
    return socket.close();
  }

  private void receive(Buffer chunk) {
    try {
      reader.add(chunk).ifPresent(this::complete);
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  private void complete(HttpResponse answer) {
    outstanding.tryComplete(answer);
  }

  private void fail(Throwable failure) {
    if (outstanding != null) {
      outstanding.tryFail(failure);
    }
  }
}
