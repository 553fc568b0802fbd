package carillon.api.edge;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;

/**
 * Handler of connections whose client ends its side after its requests ("nc -N"). The server would
 * close them immediately; this handler first answers each complete request. An incomplete request
 * gets no answer. Confined to the event loop of its connection.
 */
final class HalfClosure extends ChannelDuplexHandler {
  private int owed; // missing answers to complete requests
  private boolean isStreaming; // an answer with events ends only with its connection
  private boolean isLast; // the client has ended its side

  private HalfClosure() {}

  /**
   * Allows half-closure on a new connection, except over TLS.
   *
   * @param next name of the handler after which no complete request is dropped
   */
  static void allowOn(Channel channel, String next) {
    if (channel.pipeline().get(SslHandler.class) == null) {
      channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
      channel.pipeline().addBefore(next, "half-closure", new HalfClosure());
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (isCutOff(message)) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (message instanceof LastHttpContent) {
      owed++;
    }
    ctx.fireChannelRead(message);
  }

  /** Whether the message represents a head that was incomplete when the client ended its side. */
  private static boolean isCutOff(Object message) {
    return message instanceof HttpRequest request
        && request.decoderResult().cause() instanceof PrematureChannelClosureException;
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      isLast = true;
      if (isStreaming || owed <= 0) {
        ChannelFuture unused = ctx.close();
      }
    }
    ctx.fireUserEventTriggered(event);
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    boolean isEnd = message instanceof LastHttpContent;
    if (message instanceof HttpResponse head) {
      isEnd &= head.status().codeClass() != HttpStatusClass.INFORMATIONAL;
      isStreaming = !isEnd && isEventStream(head);
    }
    if (isEnd) {
      isStreaming = false;
      owed--;
    }
    ChannelFuture written = ctx.write(message, promise.unvoid());
    if (isLast && owed <= 0) {
      written.addListener(ChannelFutureListener.CLOSE);
    }
  }

  private static boolean isEventStream(HttpResponse head) {
    String type = head.headers().get(HttpHeaderNames.CONTENT_TYPE);
    return type != null && type.startsWith("text/event-stream");
  }
}
