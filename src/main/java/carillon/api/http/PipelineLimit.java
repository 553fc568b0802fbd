package carillon.api.http;

import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;
import java.util.Iterator;

/**
 * Bounds the requests of a connection that wait for the answers before them. The server reads no
 * more while some wait, but what one read brought is decoded by then, and a few bytes of a request
 * take twenty times as many on the heap. So little is read at a time, requests of very many headers
 * are emptied, and a connection is closed on which too many wait, or of which too many wait
 * together. Confined to the event loop of its connection.
 */
final class PipelineLimit extends ChannelInboundHandlerAdapter {
  private static final int MAX_HEADERS = 100;
  private static final int MAX_WAITING = 32;

  /** What the waiting requests of a connection take on the heap, at most. */
  private static final int MAX_BYTES = 256 * 1024;

  private static final int MIN_READ = 64;
  private static final int FIRST_READ = 2048;
  private static final int MAX_READ = 8192;

  private final HeapBudget budget;
  private int waiting;
  private boolean isCharged;
  private boolean isClosing;

  private PipelineLimit(HeapBudget budget) {
    this.budget = budget;
  }

  /**
   * Watches a connection that has just been opened.
   *
   * @param budget of all connections on which requests wait
   */
  static PipelineLimit on(HttpConnection connection, HeapBudget budget) {
    PipelineLimit pipelining = new PipelineLimit(budget);
    Channel channel = ((HttpServerConnection) connection).channelHandlerContext().channel();
    channel
        .config()
        .setRecvByteBufAllocator(
            new AdaptiveRecvByteBufAllocator(MIN_READ, FIRST_READ, MAX_READ).maxMessagesPerRead(1));
    channel.pipeline().addBefore("handler", "pipelining", pipelining);
    return pipelining;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (isClosing) {
      ReferenceCountUtil.release(message);
    } else if (message instanceof HttpRequest request) {
      waiting++;
      boundHeaders(request);
      ctx.fireChannelRead(message); // its turn may come at once
      bound(ctx);
    } else {
      ctx.fireChannelRead(message);
    }
  }

  /** As one whose headers are too large for the decoder. */
  private static void boundHeaders(HttpRequest request) {
    int count = 0; // not their size, which is that of their names
    Iterator<?> headers = request.headers().iteratorCharSequence();
    while (headers.hasNext() && count <= MAX_HEADERS) {
      headers.next();
      count++;
    }
    if (count > MAX_HEADERS) {
      request.headers().clear();
      request.setDecoderResult(
          DecoderResult.failure(
              new TooLongHttpHeaderException("more than " + MAX_HEADERS + " headers")));
    }
  }

  private void bound(ChannelHandlerContext ctx) {
    if (waiting == 0) {
      return;
    }
    isCharged = isCharged || budget.take(MAX_BYTES);
    if (!isCharged || waiting > MAX_WAITING) {
      isClosing = true;
      ChannelFuture unused = ctx.close();
    }
  }

  /** The turn of the next request has come. */
  void begun() {
    waiting--;
    if (waiting == 0) {
      giveBack();
    }
  }

  /** The connection is gone. */
  void closed() {
    giveBack();
  }

  private void giveBack() {
    if (isCharged) {
      isCharged = false;
      budget.giveBack(MAX_BYTES);
    }
  }
}
