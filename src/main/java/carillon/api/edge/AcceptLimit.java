package carillon.api.edge;

import carillon.auth.ClientNetwork;
import carillon.bounded.FixedWindowRateLimiter;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerAdapter;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.impl.transports.TransportInternal;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.spi.transport.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limit of new connections, applied before an event loop has any work with them. Connections of an
 * address beyond its rate per second are closed on the accepting thread. No more are accepted while
 * {@value #MAX_OPENING} wait for an event loop: the others wait in the kernel, so that event loops
 * have time for requests and calls. For one listening socket; confined to the accepting thread, but
 * for the count.
 */
public final class AcceptLimit extends ChannelInboundHandlerAdapter {
  /**
   * Maximum number of connections that wait for an event loop, in addition to those of one read of
   * the socket. An event loop opens this many before it serves its other connections. With 64, a
   * monitor waited 9 s in the kernel behind a flood of 2,600 connections; with 1024 it waits 3 s.
   */
  static final int MAX_OPENING = 1024;

  private static final Logger LOG = LoggerFactory.getLogger(AcceptLimit.class);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final long LOG_NANOS = Duration.ofMinutes(1).toNanos();

  private final int perAddress;
  private final FixedWindowRateLimiter addresses;
  private final LongSupplier nanoClock;
  private final AtomicInteger opening = new AtomicInteger();
  private long logged;

  /**
   * A limit that nothing uses yet.
   *
   * @param perAddress connections of one address (IPv6: one /64) a second; 0 for any number
   */
  public AcceptLimit(int perAddress, LongSupplier nanoClock) {
    this.perAddress = perAddress;
    this.addresses = new FixedWindowRateLimiter(perAddress, SECOND);
    this.nanoClock = nanoClock;
    this.logged = nanoClock.getAsLong() - LOG_NANOS;
  }

  /**
   * Returns the usual transport of Vert.x, with a server that has this limit. Vert.x shows
   * listening sockets to nothing else.
   */
  public io.vertx.core.transport.Transport transport() {
    Transport limited =
        new NioTransport() {
          @Override
          public void configure(
              NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
            super.configure(options, domainSocket, bootstrap);
            bootstrap.handler(AcceptLimit.this);
          }
        };
    return new TransportInternal("nio", true, null, limited);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object accepted) {
    Channel connection = (Channel) accepted;
    if (isTooMany(connection.remoteAddress())) {
      connection.unsafe().closeForcibly();
      return;
    }
    connection.pipeline().addLast(new Opening(ctx.channel()));
    if (opening.incrementAndGet() >= MAX_OPENING) {
      pause(ctx.channel());
    }
    ctx.fireChannelRead(connection);
  }

  /**
   * Accepts no more until event loops have opened half of the waiting connections, which may be the
   * case immediately.
   */
  private void pause(Channel listening) {
    listening.config().setAutoRead(false);
    if (opening.get() <= MAX_OPENING / 2) {
      listening.config().setAutoRead(true);
    }
  }

  private boolean isTooMany(SocketAddress remote) {
    if (perAddress == 0 || !(remote instanceof InetSocketAddress inet)) {
      return false;
    }
    InetAddress address = inet.getAddress();
    long now = nanoClock.getAsLong();
    if (addresses.take(ClientNetwork.of(address.getHostAddress()), Instant.EPOCH.plusNanos(now))
        >= 0) {
      return false;
    }
    if (now - logged >= LOG_NANOS) {
      logged = now;
      LOG.atWarn()
          .addKeyValue("address", address.getHostAddress())
          .addKeyValue("maxNewConnectionsPerAddress", perAddress)
          .log("too many new connections of an address in a second, some are closed");
    }
    return true;
  }

  /** Number of connections that wait for an event loop. */
  int opening() {
    return opening.get();
  }

  /**
   * Counts a connection until its event loop has opened it and has then read from others. A task
   * with a delay runs after the next pass over all of them.
   */
  private final class Opening extends ChannelHandlerAdapter {
    private final Channel listening;

    Opening(Channel listening) {
      this.listening = listening;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
      var unused = ctx.executor().schedule(this::opened, 1, TimeUnit.NANOSECONDS);
      ctx.pipeline().remove(this);
    }

    private void opened() {
      if (opening.decrementAndGet() == MAX_OPENING / 2) {
        listening.config().setAutoRead(true);
      }
    }
  }
}
