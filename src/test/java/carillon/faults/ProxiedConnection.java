package carillon.faults;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Connection through the {@link Proxy}: commands in one direction, replies in the other, forwarded
 * only as whole messages. Confined to the event loop of its sockets, except for {@link #cut} and
 * {@link #close}.
 */
final class ProxiedConnection {
  private static final String NONE = "";

  /** Marks a TIME command, in place of a script's name. */
  private static final String TIME = "TIME";

  private final NetSocket node;
  private final NetSocket redis;
  private final Scripts scripts;
  private final AtomicReference<Trip> trip;
  private final Supplier<Duration> ahead;
  private final Vertx vertx;
  private final Deque<String> unanswered = new ArrayDeque<>();
  private Buffer commands = Buffer.buffer();
  private Buffer replies = Buffer.buffer();
  private boolean halted;

  ProxiedConnection(
      NetSocket node,
      NetSocket redis,
      Scripts scripts,
      AtomicReference<Trip> trip,
      Supplier<Duration> ahead,
      Vertx vertx) {
    this.node = node;
    this.redis = redis;
    this.scripts = scripts;
    this.trip = trip;
    this.ahead = ahead;
    this.vertx = vertx;
    node.exceptionHandler(reset -> {}).handler(this::fromNode);
    redis.exceptionHandler(reset -> {}).handler(this::fromRedis);
  }

  void cut(boolean requests, boolean repliesToo) {
    if (requests) {
      node.pause();
    } else {
      node.resume();
    }
    if (repliesToo) {
      redis.pause();
    } else {
      redis.resume();
    }
  }

  private void fromNode(Buffer bytes) {
    commands.appendBuffer(bytes);
    int start = 0;
    int end = 0;
    while (!halted && start < commands.length() && (end = Resp.end(commands, start)) > 0) {
      String script = script(start);
      Trip set = trip.get();
      if (set != null && !set.performed() && set.script().equals(script)) {
        halt(set);
      } else {
        unanswered.add(script);
        redis.write(commands.getBuffer(start, end));
        start = end;
      }
    }
    commands = commands.getBuffer(start, commands.length());
  }

  private String script(int start) {
    return switch (Resp.word(commands, start, 0).toUpperCase(Locale.ROOT)) {
      case "EVALSHA" -> scripts.named(Resp.word(commands, start, 1));
      case "EVAL" -> scripts.learn(Resp.word(commands, start, 1));
      case TIME -> TIME;
      default -> NONE;
    };
  }

  private void fromRedis(Buffer bytes) {
    replies.appendBuffer(bytes);
    int start = 0;
    int end = 0;
    while (!halted && start < replies.length() && (end = Resp.end(replies, start)) > 0) {
      boolean isReply = replies.getByte(start) != '>';
      String script = isReply && !unanswered.isEmpty() ? unanswered.poll() : NONE;
      Buffer reply = replies.getBuffer(start, end);
      if (script.equals(TIME)) {
        reply = Resp.later(reply, ahead.get());
      }
      Trip set = trip.get();
      if (set != null
          && set.performed()
          && set.script().equals(script)
          && reply.getByte(0) != '-'
          && set.isMet(reply.toString())) {
        halt(set);
      } else {
        node.write(reply);
        start = end;
      }
    }
    replies = replies.getBuffer(start, replies.length());
  }

  private void halt(Trip set) {
    if (trip.compareAndSet(set, null)) {
      halted = true;
      vertx.executeBlocking(
          () -> {
            set.halt().run();
            return null;
          });
    }
  }

  void close() {
    node.close();
    redis.close();
  }
}
