package carillon.dispatch;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpClientConnectionInternal;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bound on what a target may send on a connection, and make us send, for one call. HTTP/2 lets a
 * server go on for ever with what belongs to no answer: promises of pushes, interim answers, pings,
 * frames for streams that have ended, each of which costs time and many of which have to be
 * answered. Who goes beyond the bound loses the connection at once: what has come and was not read
 * is dropped, what waits to be written too. Confined to the connection's event loop.
 */
final class ConnectionGuard extends ChannelDuplexHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionGuard.class);

  private static final AttributeKey<ConnectionGuard> GUARD =
      AttributeKey.valueOf(ConnectionGuard.class, "guard");

  /** Head, interim answers, trailers, and what a protocol sends besides. */
  private static final long BYTES = 256 * 1024;

  /** What a byte of an answer takes when it comes in a frame or chunk of its own. */
  private static final int BYTES_FOR_ONE = 10;

  private static final long WRITES = 200;

  private static final int PIECE = 2048;

  /** A flow control window of HTTP/2 is given back in halves. */
  private static final int BYTES_FOR_WRITE = 16 * 1024;

  private final HttpClientConnectionInternal connection;
  private final long maxBytes;
  private final long maxWrites;
  private long bytes;
  private long writes;
  private boolean over;
  private boolean flooded;
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
    if (http2 != null) {
      // Without waiting for the acknowledgement of our settings, which may never come.
      http2.connection().local().allowPushTo(false);
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
   * A call begins: the target may send as much again.
   *
   * @param look whether the call may still be made, asked where its first byte is handed to the
   *     network; when it may not, nothing is sent and the connection is closed. A process can be
   *     stopped between any two instructions: the later the look, the fewer lie behind it.
   */
  void call(BooleanSupplier look) {
    bytes = 0;
    writes = 0;
    lastLook = look;
  }

  /** Whether calls may still be made. */
  boolean isOpen() {
    return !over && connection.channelHandlerContext().channel().isActive();
  }

  /** Whether the connection was ended because the target went beyond the bound. */
  boolean flooded() {
    return flooded;
  }

  /**
   * Ends the connection without waiting for what was written to be taken. The pool forgets it at
   * once.
   */
  void close() {
    if (!over) {
      over = true;
      connection.close();
      ChannelFuture unused = connection.channelHandlerContext().close();
    }
  }

  /** Ends the connection because of what the target sent. */
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

  /** So that little is read after the bound was passed. */
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
    // The promise stays open: to fail each of many would cost as much as they do.
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
}
