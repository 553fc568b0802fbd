package carillon.dispatch.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpClientConnectionInternal;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bound on what a target may send on a connection, and make us send, for one call. HTTP/2 lets a
 * server send frames without limit outside an answer: push promises, interim answers, pings, frames
 * of ended streams. Each costs time, and many require an answer. Beyond the bound, the connection
 * ends immediately: received bytes that were not read are dropped, and so are pending writes.
 * Confined to the connection's event loop.
 */
final class ConnectionGuard extends ChannelDuplexHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionGuard.class);

  private static final AttributeKey<ConnectionGuard> GUARD =
      AttributeKey.valueOf(ConnectionGuard.class, "guard");

  /** Maximum number of bytes of head, interim answers, trailers, and other protocol data. */
  private static final long BYTES = 256 * 1024;

  /** Bytes on the wire for each byte of an answer, where each has a separate frame or chunk. */
  private static final int BYTES_FOR_ONE = 10;

  private static final long WRITES = 200;

  private static final int PIECE = 2048;

  private static final String CUT =
      "it ends with the TLS connection, which was cut without close_notify";

  /** Maximum number of interim answers, such as "100 Continue", before an answer. */
  private static final int MAX_INTERIM = 100;

  /** A flow control window of HTTP/2 is given back in halves. */
  private static final int BYTES_FOR_WRITE = 16 * 1024;

  private final HttpClientConnectionInternal connection;
  private final long maxBytes;
  private final long maxWrites;
  private long bytes;
  private long writes;
  private int interim;
  private int calls;
  private Optional<String> fault = Optional.empty();
  private boolean over;
  private boolean flooded;
  private boolean answerDue;

  private boolean tlsEnded;

  /** Whether TCP ended before TLS did: the end of the answer may be missing. */
  private boolean cut;

  private BooleanSupplier lastLook = () -> true;

  private ConnectionGuard(HttpClientConnectionInternal connection, int maxResponse) {
    this.connection = connection;
    this.maxBytes = BYTES + (long) BYTES_FOR_ONE * maxResponse;
    this.maxWrites = WRITES + maxResponse / BYTES_FOR_WRITE;
  }

  /**
   * Sets a guard on a new connection of a client of Vert.x.
   *
   * @param maxResponse how much of an answer is read, in bytes
   */
  static ConnectionGuard set(HttpConnection opened, int maxResponse) {
    HttpClientConnectionInternal connection = (HttpClientConnectionInternal) opened;
    ChannelPipeline pipeline = connection.channelHandlerContext().pipeline();
    String first = pipeline.get("codec") == null ? "handler" : "codec";
    ConnectionGuard guard = new ConnectionGuard(connection, maxResponse);
    pipeline.addBefore(first, null, guard);
    pipeline.channel().attr(GUARD).set(guard);
    Http2ConnectionHandler http2 = pipeline.get(Http2ConnectionHandler.class);
    if (http2 == null) {
      pipeline.replace("codec", "codec", new Http1Codec(guard));
      pipeline.addBefore("handler", null, guard.new AnswerFilter());
    } else {
      // Does not wait for the acknowledgement of our settings, which may never come.
      http2.connection().local().allowPushTo(false);
      http2.decoder().frameListener(guard.new InterimFrameFilter(http2.decoder().frameListener()));
    }
    opened.exceptionHandler(
        failure ->
            LOG.atDebug()
                .addKeyValue("target", opened.remoteAddress())
                .addKeyValue("error", failure.getMessage())
                .log("connection to a target failed"));
    return guard;
  }

  /** The guard of a connection, also of one that has ended. */
  static ConnectionGuard of(HttpConnection connection) {
    return ((HttpClientConnectionInternal) connection)
        .channelHandlerContext()
        .channel()
        .attr(GUARD)
        .get();
  }

  /**
   * Begins a call: the target may again send up to the bound.
   *
   * @param look whether the call may still be made, asked when its first byte is handed to the
   *     network; if not, nothing is sent and the connection is closed. The check is as late as
   *     possible, because a process can be stopped between any two instructions.
   */
  void call(BooleanSupplier look) {
    calls++;
    answerDue = true;
    bytes = 0;
    writes = 0;
    interim = 0;
    lastLook = look;
  }

  /** Whether calls may still be made. */
  boolean isOpen() {
    return !over && connection.channelHandlerContext().channel().isActive();
  }

  /** Whether an earlier call was made on the connection. */
  boolean isReused() {
    return calls > 0;
  }

  /** Whether the target sent nothing for a call on a connection that was used before. */
  boolean endedUnheard() {
    return calls > 1 && bytes == 0 && !flooded;
  }

  /** Returns the rule or the bound that the target broke, if any. */
  Optional<String> violation() {
    return flooded
        ? Optional.of("the target sent more than an answer needs")
        : fault.map("the answer is not valid HTTP: "::concat);
  }

  /** Ends the connection without waiting for pending writes. The pool forgets it immediately. */
  void close() {
    if (!over) {
      over = true;
      connection.close();
      ChannelFuture unused = connection.channelHandlerContext().close();
    }
  }

  /** Whether a call was made whose answer has not ended. */
  boolean isAnswerDue() {
    return answerDue;
  }

  /**
   * Ends the connection because bytes came that are part of no answer. They would be read as the
   * beginning of the next one (RFC 9112, section 6.3).
   */
  void unasked() {
    if (!over) {
      if (calls == 0) {
        fault = Optional.of("it came before the request");
      }
      LOG.atDebug()
          .addKeyValue("target", connection.remoteAddress())
          .log("target sent bytes that belong to no answer, connection closed");
      close();
    }
  }

  /** Ends the connection because the target exceeded the bound. */
  void flood() {
    if (!over) {
      flooded = true;
      LOG.atDebug()
          .addKeyValue("target", connection.remoteAddress())
          .log("target sent more than a call needs, connection closed");
      close();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof ByteBuf buffer) {
      bytes += buffer.readableBytes();
    }
    if (bytes > maxBytes) {
      flood();
    }
    if (!over && message instanceof ByteBuf buffer) {
      readInPieces(context, buffer);
    } else if (over) {
      ReferenceCountUtil.release(message);
    } else {
      context.fireChannelRead(message);
    }
  }

  /**
   * Ends the connection when the target has ended TLS. TLS 1.3 leaves the other direction open, so
   * an answer without a length would otherwise wait for the end of TCP.
   */
  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    context.fireUserEventTriggered(event);
    if (event == SslCloseCompletionEvent.SUCCESS) {
      tlsEnded = true;
      ChannelFuture unused = context.close();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    cut = connection.isSsl() && !tlsEnded;
    context.fireChannelInactive();
  }

  /** Reads in small pieces, so that little is read after the bound was passed. */
  private void readInPieces(ChannelHandlerContext context, ByteBuf buffer) {
    while (buffer.readableBytes() > PIECE && !over) {
      context.fireChannelRead(buffer.readRetainedSlice(PIECE));
    }
    if (over) {
      buffer.release();
    } else {
      context.fireChannelRead(buffer);
    }
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (!over) {
      ChannelFuture unused = context.write(message, promise);
      if (++writes == maxWrites) {
        flood();
      }
      return;
    }
    // Drops the write without failing its promise. In a flood, each failure would cost as much.
    ReferenceCountUtil.release(message);
  }

  @Override
  public void flush(ChannelHandlerContext context) {
    if (writes > 0) {
      BooleanSupplier look = lastLook;
      lastLook = () -> true;
      if (!look.getAsBoolean()) {
        close();
        return;
      }
    }
    context.flush();
  }

  /** Whether an answer is followed by another: all of 1xx are, but for a change of the protocol. */
  private static boolean isInterim(int status) {
    return status >= 100 && status < 200 && status != 101;
  }

  private void countInterim() {
    if (++interim > MAX_INTERIM) {
      flood();
    }
  }

  /**
   * Filter that drops the interim answers of HTTP/1.1 (RFC 9110, section 15.2). Delivers the end of
   * an answer after all bytes that came with it were read: the next call may follow immediately.
   */
  private final class AnswerFilter extends ChannelInboundHandlerAdapter {
    private final Queue<LastHttpContent> end = new ArrayDeque<>(1);
    private boolean dropping;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (fault.isEmpty()) {
        fault = Http1Codec.faultOf(message);
      }
      if (message instanceof HttpResponse response && response.decoderResult().isSuccess()) {
        dropping = isInterim(response.status().code());
        if (dropping) {
          countInterim();
        }
      }
      if (dropping || over) {
        ReferenceCountUtil.release(message);
      } else if (message instanceof LastHttpContent last && last.decoderResult().isSuccess()) {
        answerDue = false;
        add(last);
      } else {
        context.fireChannelRead(message);
      }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      deliverEnd(context);
      context.fireChannelReadComplete();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      deliverEnd(context);
      context.fireChannelInactive();
    }

    private void add(LastHttpContent last) {
      if (cut) {
        fault = Optional.of(CUT);
        last.release();
      } else {
        end.add(last);
      }
    }

    private void deliverEnd(ChannelHandlerContext context) {
      for (LastHttpContent last = end.poll(); last != null; last = end.poll()) {
        context.fireChannelRead(last);
      }
    }
  }

  /** Filter that drops the interim answers of HTTP/2. */
  private final class InterimFrameFilter extends Http2FrameListenerDecorator {
    InterimFrameFilter(Http2FrameListener listener) {
      super(listener);
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext context, int stream, Http2Headers headers, int padding, boolean isEnd)
        throws Http2Exception {
      if (!drops(headers)) {
        super.onHeadersRead(context, stream, headers, padding, isEnd);
      }
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext context,
        int stream,
        Http2Headers headers,
        int dependency,
        short weight,
        boolean isExclusive,
        int padding,
        boolean isEnd)
        throws Http2Exception {
      if (!drops(headers)) {
        super.onHeadersRead(
            context, stream, headers, dependency, weight, isExclusive, padding, isEnd);
      }
    }

    /** Drops interim answers, and ends a connection with an invalid status. */
    private boolean drops(Http2Headers headers) {
      CharSequence status = headers.status();
      if (status == null) {
        return false;
      }
      if (!Http1Codec.isStatus(status)) {
        fault = Optional.of(Http1Codec.BAD_STATUS);
        close();
        return true;
      }
      boolean drops = isInterim(Integer.parseInt(status.toString()));
      if (drops) {
        countInterim();
      }
      return drops;
    }
  }
}
