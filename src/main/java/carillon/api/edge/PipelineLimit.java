package carillon.api.edge;

import carillon.api.http.HttpException;
import carillon.bounded.HeapBudget;
import carillon.json.text.JsonOut;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Limit of pipelining: of several requests on a connection, one begins at a time. The others wait
 * for the answers before them, for their client to read those, and for the other connections, which
 * have a turn between two of them. No more is read until then: its own answers slow a client down
 * (RFC 9112, 9.3.2). All connections share a bound for waiting requests. On a connection beyond it
 * the next request is answered 503, and is the last. Requests of very many headers are emptied, as
 * they take twenty times their size on the heap. A broken body ends where it breaks: its request is
 * answered, and the connection ends. Confined to the event loop of its connection.
 */
final class PipelineLimit extends ChannelDuplexHandler {

  /** Maximum heap usage of the waiting requests of a connection. */
  private static final int MAX_BYTES = 256 * 1024;

  /**
   * Limits of unread bytes of answers: above the high one no request begins, below the low one
   * requests begin again.
   */
  private static final WriteBufferWaterMark UNREAD = new WriteBufferWaterMark(8 * 1024, 16 * 1024);

  private static final String TOO_MANY =
      "Too many requests wait on this and other connections; try again.";

  private static final String TOO_MANY_CONNECTIONS = "Too many connections are open; try again.";

  private static final AttributeKey<Boolean> BROKEN = AttributeKey.valueOf("carillon.broken-body");

  private final HeapBudget budget;
  private final ReadSize readSize;
  private final Queue<Object> held = new ArrayDeque<>(0);
  private int waiting; // requests passed on but not started yet
  private int owed; // missing answers to requests passed on
  private boolean isAnswering; // an answer in parts is not complete
  private boolean hadTurn; // since the last read
  private boolean isTurnPending;
  private boolean isTurning;
  private boolean isPaused; // by this, and not by the server
  private boolean isCharged;
  private boolean isClosing;
  private ChannelHandlerContext context; // once added

  private PipelineLimit(HeapBudget budget, ReadSize readSize) {
    this.budget = budget;
    this.readSize = readSize;
  }

  /**
   * Watches a connection that has just been opened.
   *
   * @param budget of all connections on which requests wait
   * @param arriving called when bytes are read
   */
  static PipelineLimit on(HttpConnection connection, HeapBudget budget, Runnable arriving) {
    ReadSize readSize = new ReadSize(arriving);
    PipelineLimit pipelining = new PipelineLimit(budget, readSize);
    Channel channel = ((HttpServerConnection) connection).channelHandlerContext().channel();
    channel.config().setRecvByteBufAllocator(readSize).setWriteBufferWaterMark(UNREAD);
    channel.pipeline().addBefore("handler", "pipelining", pipelining);
    HalfClosure.allowOn(channel, "pipelining");
    return pipelining;
  }

  /**
   * Refuses the first request of a connection, and then ends the connection. Without a request the
   * connection ends after a second. A connection that closes without an answer looks like a failure
   * of the network.
   *
   * @param ended called at the end of the connection
   */
  static void refuse(HttpConnection connection, Runnable ended) {
    Channel channel = ((HttpServerConnection) connection).channelHandlerContext().channel();
    channel.pipeline().addBefore("handler", "refusal", new SurplusConnection());
    channel.closeFuture().addListener(closed -> ended.run());
    ScheduledFuture<?> unused =
        channel.eventLoop().schedule(() -> close(channel), 1, TimeUnit.SECONDS);
  }

  private static void close(Channel channel) {
    ChannelFuture unused = channel.close();
  }

  private static final class SurplusConnection extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ReferenceCountUtil.release(message);
      if (message instanceof LastHttpContent) {
        end(ctx, HttpException.busy(TOO_MANY_CONNECTIONS));
      }
    }
  }

  /** Whether the body of the last request of a connection could not be decoded to its end. */
  static boolean isBroken(HttpConnection connection) {
    return isBroken(((HttpServerConnection) connection).channelHandlerContext().channel());
  }

  private static boolean isBroken(Channel channel) {
    return channel.attr(BROKEN).get() != null;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    readSize.decoded();
    if (isClosing) {
      ReferenceCountUtil.release(message);
    } else if (held.isEmpty() && !(message instanceof HttpRequest && hasToWait(ctx))) {
      pass(ctx, message);
    } else {
      held.add(message);
    }
  }

  private boolean hasToWait(ChannelHandlerContext ctx) {
    return hadTurn || !mayBegin(ctx);
  }

  private boolean mayBegin(ChannelHandlerContext ctx) {
    return waiting == 0 && ctx.channel().isWritable();
  }

  private void pass(ChannelHandlerContext ctx, Object message) {
    if (message instanceof HttpRequest request) {
      hadTurn = true;
      waiting++;
      owed++;
      boundHeaders(request);
      checkVersion(request);
    } else if (((HttpObject) message).decoderResult().isFailure()) {
      ReferenceCountUtil.release(message);
      ctx.channel().attr(BROKEN).set(true);
      ctx.fireChannelRead(LastHttpContent.EMPTY_LAST_CONTENT);
      return;
    }
    ctx.fireChannelRead(message); // the turn of a request may come immediately
  }

  /** The server would answer another version itself, without a body and an id. */
  private static void checkVersion(HttpRequest request) {
    HttpVersion version = request.protocolVersion();
    if (!version.equals(HttpVersion.HTTP_1_1) && !version.equals(HttpVersion.HTTP_1_0)) {
      request.setProtocolVersion(HttpVersion.HTTP_1_1);
      request.setDecoderResult(DecoderResult.failure(new HttpException.UnknownVersionException()));
    }
  }

  /**
   * Writes an answer. After a broken body nothing more is read: the connection ends with the
   * answer.
   */
  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    ChannelFuture written = ctx.write(message, promise.unvoid());
    if (isInterim(message)) {
      return;
    }
    boolean isEnd = message instanceof LastHttpContent;
    isAnswering = !isEnd;
    owed -= isEnd ? 1 : 0;
    if (isEnd ? isBroken(ctx.channel()) : isClosing) {
      written.addListener(ChannelFutureListener.CLOSE);
    } else if (isClosing && owed == 0) {
      written.addListener(answered -> end(ctx, HttpException.busy(TOO_MANY)));
    }
  }

  private static boolean isInterim(Object message) {
    return message instanceof HttpResponse head
        && head.status().codeClass() == HttpStatusClass.INFORMATIONAL;
  }

  /** Makes a request of too many headers like one whose headers are too large for the decoder. */
  private static void boundHeaders(HttpRequest request) {
    int count = 0; // headers, not bytes
    Iterator<?> headers = request.headers().iteratorCharSequence();
    while (headers.hasNext() && count <= HttpException.MAX_HEADERS) {
      headers.next();
      count++;
    }
    if (count > HttpException.MAX_HEADERS) {
      request.headers().clear();
      request.setDecoderResult(
          DecoderResult.failure(
              new TooLongHttpHeaderException(
                  "more than " + HttpException.MAX_HEADERS + " headers")));
    }
  }

  /**
   * A client that is gone is no failure of the server. Without a request under way the server would
   * not even understand it, and log that at length.
   */
  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable failure) {
    if (failure instanceof IOException) {
      ChannelFuture unused = ctx.close();
    } else {
      ctx.fireExceptionCaught(failure);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    ctx.fireChannelReadComplete();
    settle(ctx);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    ctx.fireChannelWritabilityChanged();
    settle(ctx);
  }

  /** Settles the state after a read or a turn: nothing, or waiting requests. */
  private void settle(ChannelHandlerContext ctx) {
    hadTurn = false;
    if (held.isEmpty() && waiting == 0) {
      giveBack();
    } else if (!charge()) {
      isClosing = true;
      drop();
      if (owed == 0) {
        end(ctx, HttpException.busy(TOO_MANY));
      } else if (isAnswering) {
        ChannelFuture unused = ctx.close(); // an answer in parts, such as events, may have no end
      }
    } else if (!held.isEmpty()) {
      pause(ctx);
      schedule(ctx);
    }
  }

  private void schedule(ChannelHandlerContext ctx) {
    if (!isTurnPending && mayBegin(ctx)) {
      isTurnPending = true;
      ctx.executor().execute(() -> turn(ctx));
    }
  }

  /** Passes the next request on, with as much of its body as there is. */
  private void turn(ChannelHandlerContext ctx) {
    isTurnPending = false;
    if (held.isEmpty() || !mayBegin(ctx)) {
      return;
    }
    isTurning = true;
    resume(ctx); // now the server decides whether to read more
    do {
      pass(ctx, held.remove());
    } while (!held.isEmpty() && !(held.peek() instanceof HttpRequest));
    ctx.fireChannelReadComplete();
    isTurning = false;
    settle(ctx);
    if (held.isEmpty() && ctx.channel().config().isAutoRead()) {
      ctx.read();
    }
  }

  private void pause(ChannelHandlerContext ctx) {
    if (ctx.channel().config().isAutoRead()) {
      isPaused = true;
      ctx.channel().config().setAutoRead(false);
    }
  }

  private void resume(ChannelHandlerContext ctx) {
    if (isPaused) {
      isPaused = false;
      ctx.channel().config().setAutoRead(true);
    }
  }

  /** Reads on request of the server. Held messages come first. */
  @Override
  public void read(ChannelHandlerContext ctx) {
    if (held.isEmpty()) {
      ctx.read();
    } else if (!isTurning) {
      pause(ctx);
    }
  }

  /** The turn of the next request has come. */
  void begun() {
    waiting--;
    if (held.isEmpty() && waiting == 0) {
      giveBack();
    } else if (!isTurning) {
      schedule(context);
    }
  }

  /** Ends a connection that owes no answer. A request that is arriving is refused. */
  void end(HttpException refusal) {
    if (readSize.hasUndecoded()) {
      end(context, refusal);
    } else {
      ChannelFuture unused = context.close();
    }
  }

  private static void end(ChannelHandlerContext ctx, HttpException refusal) {
    byte[] document = JsonOut.object(refusal::writeError);
    FullHttpResponse answer =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(refusal.status()),
            Unpooled.wrappedBuffer(document));
    answer
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, "application/json; charset=utf-8")
        .set(HttpHeaderNames.CONTENT_LENGTH, document.length)
        .set(HttpHeaderNames.RETRY_AFTER, "1")
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    ctx.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE);
  }

  /** The connection is gone. */
  void closed() {
    isClosing = true;
    drop();
    giveBack();
  }

  private void drop() {
    held.forEach(ReferenceCountUtil::release);
    held.clear();
  }

  private boolean charge() {
    isCharged = isCharged || budget.take(MAX_BYTES);
    return isCharged;
  }

  private void giveBack() {
    if (isCharged) {
      isCharged = false;
      budget.giveBack(MAX_BYTES);
    }
  }

  /**
   * Number of bytes that one read takes from a connection. The decoding of one read cannot be
   * interrupted. So a connection with many small messages is read in small pieces, and one with
   * large bodies in larger ones. Confined to the event loop of its connection.
   */
  private static final class ReadSize extends DefaultMaxMessagesRecvByteBufAllocator {
    private static final int MIN = 256;
    private static final int FIRST = 2048;
    private static final int MAX = 8192;

    /** Number of messages in one read above which the next read is smaller. */
    private static final int MANY = 16;

    private final Runnable arriving;
    private int size = FIRST;
    private int decoded;
    private boolean hasUndecoded;

    ReadSize(Runnable arriving) {
      super(1);
      this.arriving = arriving;
    }

    /** Notes that a read yielded a request or a part of one. */
    void decoded() {
      decoded++;
      hasUndecoded = false;
    }

    /** Whether bytes were read since a request, or a piece of one, came out of them. */
    boolean hasUndecoded() {
      return hasUndecoded;
    }

    @Override
    public ExtendedHandle newHandle() {
      return new Reads();
    }

    private final class Reads extends MaxMessageHandle {
      @Override
      public int guess() {
        return size;
      }

      @Override
      public void lastBytesRead(int bytes) {
        super.lastBytesRead(bytes);
        if (bytes > 0) {
          hasUndecoded = true;
          arriving.run();
        }
      }

      @Override
      public void readComplete() {
        if (decoded > MANY) {
          size = Math.max(MIN, size / 2);
        } else if (totalBytesRead() >= size) {
          size = Math.min(MAX, size * 2);
        }
        decoded = 0;
      }
    }
  }
}
