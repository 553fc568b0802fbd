package carillon.api.http;

import carillon.bounded.HeapBudget;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Queue;

/**
 * Limit of pipelining: of many requests that a connection sends at once, one begins at a time. The
 * others wait for the answers before them, for their client to read those, and for the other
 * connections, which have a turn between two of them. Meanwhile nothing more is read, so that a
 * client is slowed down by its own answers (RFC 9112, 9.3.2). What waits is bounded for all
 * connections together; a connection beyond that is closed. Requests of very many headers are
 * emptied, as they take twenty times their size on the heap. A body that cannot be decoded ends
 * where it breaks, so that its request is answered, and its connection with the answer. Confined to
 * the event loop of its connection.
 */
final class PipelineLimit extends ChannelDuplexHandler {
  static final int MAX_HEADERS = 100;

  /** What the waiting requests of a connection take on the heap, at most. */
  private static final int MAX_BYTES = 256 * 1024;

  /** Bytes of unread answers at which no request begins any more, and at which one does again. */
  private static final WriteBufferWaterMark UNREAD = new WriteBufferWaterMark(8 * 1024, 16 * 1024);

  private static final AttributeKey<Boolean> BROKEN = AttributeKey.valueOf("carillon.broken-body");

  private final HeapBudget budget;
  private final ReadSize readSize;
  private final Queue<Object> held = new ArrayDeque<>(0);
  private int waiting; // requests that were passed on and whose turn has not come
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
   */
  static PipelineLimit on(HttpConnection connection, HeapBudget budget) {
    ReadSize readSize = new ReadSize();
    PipelineLimit pipelining = new PipelineLimit(budget, readSize);
    Channel channel = ((HttpServerConnection) connection).channelHandlerContext().channel();
    channel.config().setRecvByteBufAllocator(readSize).setWriteBufferWaterMark(UNREAD);
    channel.pipeline().addBefore("handler", "pipelining", pipelining);
    HalfClosure.allowOn(channel, "pipelining");
    return pipelining;
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
      boundHeaders(request);
      checkVersion(request);
    } else if (((HttpObject) message).decoderResult().isFailure()) {
      ReferenceCountUtil.release(message);
      ctx.channel().attr(BROKEN).set(true);
      ctx.fireChannelRead(LastHttpContent.EMPTY_LAST_CONTENT);
      return;
    }
    ctx.fireChannelRead(message); // the turn of a request may come at once
  }

  /** The server would answer another version itself, without a body and an id. */
  private static void checkVersion(HttpRequest request) {
    HttpVersion version = request.protocolVersion();
    if (!version.equals(HttpVersion.HTTP_1_1) && !version.equals(HttpVersion.HTTP_1_0)) {
      request.setProtocolVersion(HttpVersion.HTTP_1_1);
      request.setDecoderResult(DecoderResult.failure(new UnknownVersionException()));
    }
  }

  /** Nothing that is sent after a broken body is read: the connection ends with the answer. */
  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    ChannelFuture written = ctx.write(message, promise.unvoid());
    if (message instanceof LastHttpContent && isBroken(ctx.channel())) {
      written.addListener(ChannelFutureListener.CLOSE);
    }
  }

  /** Makes a request of too many headers like one whose headers are too large for the decoder. */
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

  /** What a read or a turn left: nothing, or requests that wait. */
  private void settle(ChannelHandlerContext ctx) {
    hadTurn = false;
    if (held.isEmpty() && waiting == 0) {
      giveBack();
    } else if (!charge()) {
      isClosing = true;
      drop();
      ChannelFuture unused = ctx.close();
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
    resume(ctx); // from here on the server says whether it wants more
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

  /** The server wants more, and gets what is held first. */
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

  /** A request is of a version of HTTP that is not spoken here. */
  static final class UnknownVersionException extends Exception {
    private static final long serialVersionUID = 1;
  }

  /**
   * How many bytes of a connection are read at one time. What is decoded of one read is work that
   * nothing can come between: a connection that sends many small things is read in small pieces,
   * one that sends large bodies in larger ones. Confined to the event loop of its connection.
   */
  private static final class ReadSize extends DefaultMaxMessagesRecvByteBufAllocator {
    private static final int MIN = 256;
    private static final int FIRST = 2048;
    private static final int MAX = 8192;

    /** Messages of one read beyond which the next is smaller. */
    private static final int MANY = 16;

    private int size = FIRST;
    private int decoded;

    ReadSize() {
      super(1);
    }

    /** A request, or a piece of one, came out of what was read. */
    void decoded() {
      decoded++;
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
