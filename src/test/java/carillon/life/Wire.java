package carillon.life;

import carillon.faults.Resp;
import carillon.faults.Scripts;
import carillon.support.Await;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Connections of one party to Redis. A command can be held on its way, and then go on or be lost
 * with its connection, before or after Redis performs it. The {@link Witness} is notified of every
 * command that Redis performs, even if the answer is lost. All wires share one event loop, and so
 * see the same order.
 */
final class Wire implements AutoCloseable {
  /** Commands that every party sends all the time and that change nothing. */
  private static final Set<String> BACKGROUND = Set.of("XRANGE", "XREVRANGE", "ZRANGE", "PING");

  private final String party;
  private final InstantSource clock;
  private final Scripts scripts;
  private final Witness witness;
  private final NetServer server;
  private final NetClient client;
  private final Turns turns;
  private final int redisPort;
  private final List<Line> lines = new CopyOnWriteArrayList<>();
  private final AtomicLong activity = new AtomicLong();
  private volatile Trap trap;
  private volatile Line held;
  private volatile Line late;
  private volatile boolean cut;

  /** Ways in which a held or doomed command continues. */
  enum Way {
    FORWARD("goes on"),
    LOST_REQUEST("is lost before Redis has it, with its connection"),
    LOST_ANSWER("is performed, and its answer lost with its connection"),
    LATE("comes late, after its connection was given up");

    private final String words;

    Way(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  /** Trap for a command. */
  private record Trap(Predicate<String> isMeant, AtomicLong count, Way way, boolean holds) {}

  Wire(
      Vertx vertx,
      NetClient client,
      Turns turns,
      String party,
      int redisPort,
      InstantSource clock,
      Scripts scripts,
      Witness witness) {
    this.party = party;
    this.redisPort = redisPort;
    this.clock = clock;
    this.scripts = scripts;
    this.witness = witness;
    this.client = client;
    this.turns = turns;
    this.server =
        Await.result(vertx.createNetServer().connectHandler(this::connect).listen(0, "127.0.0.1"));
  }

  URI uri() {
    return URI.create("redis://127.0.0.1:" + server.actualPort());
  }

  private void connect(NetSocket near) {
    near.pause();
    if (cut) {
      near.close();
      return;
    }
    client
        .connect(redisPort, "127.0.0.1")
        .onFailure(refused -> near.close())
        .onSuccess(far -> lines.add(new Line(near, far)));
  }

  /** Holds the n-th matching command from now on, and all commands behind it on its connection. */
  void hold(Predicate<String> isMeant, int n) {
    trap = new Trap(isMeant, new AtomicLong(n), Way.FORWARD, true);
  }

  /** Loses the next matching command. */
  void lose(Predicate<String> isMeant, Way way) {
    trap = new Trap(isMeant, new AtomicLong(1), way, false);
  }

  /** Removes the trap. */
  void disarm() {
    trap = null;
  }

  boolean isHolding() {
    return held != null;
  }

  /** Releases the held command. */
  void release(Way way) {
    Line line = late == null ? held : late;
    if (line != null) {
      Await.result(line.onLoop(() -> line.release(late == null ? way : Way.FORWARD)));
      held = late == null ? null : held;
      late = null;
    }
  }

  /** Ends all connections and accepts no more, or accepts them again. */
  void cut(boolean isCut) {
    cut = isCut;
    if (isCut) {
      disarm();
      lines.forEach(line -> Await.result(line.onLoop(line::hangUp)));
      held = null;
    }
  }

  boolean isCut() {
    return cut;
  }

  int connections() {
    return lines.size();
  }

  /** Whether Redis owes an answer. */
  boolean isBusy() {
    return lines.stream().anyMatch(line -> line.owed > 0);
  }

  long activity() {
    return activity.get();
  }

  @Override
  public void close() {
    cut(true);
    Await.result(server.close());
  }

  /** Connection of the party. Confined to the event loop. */
  private final class Line {
    private final NetSocket near;
    private final NetSocket far;
    private final io.vertx.core.Context loop = Vertx.currentContext();
    private final Deque<SentCommand> unanswered = new ArrayDeque<>();
    private final Deque<SentCommand> waiting = new ArrayDeque<>();
    private final RespStream commands = new RespStream();
    private final RespStream replies = new RespStream();
    private int doomed; // answers up to the lost one; 0 for none
    private boolean holding;
    private boolean gone;
    private boolean ended;
    private boolean inTurn;
    private volatile int owed;

    Line(NetSocket near, NetSocket far) {
      this.near = near;
      this.far = far;
      near.exceptionHandler(reset -> {}).closeHandler(closed -> hangUp()).handler(this::fromNear);
      far.exceptionHandler(reset -> {}).closeHandler(closed -> end()).handler(this::fromFar);
      near.resume();
    }

    io.vertx.core.Future<Void> onLoop(Runnable step) {
      io.vertx.core.Promise<Void> done = io.vertx.core.Promise.promise();
      loop.runOnContext(
          go -> {
            step.run();
            done.complete();
          });
      return done.future();
    }

    private void fromNear(Buffer bytes) {
      for (Buffer command : commands.add(bytes)) {
        String name = name(command);
        SentCommand sent = command(name, command, clock.instant());
        if (!BACKGROUND.contains(sent.name())) {
          activity.incrementAndGet();
        }
        if (holding) {
          waiting.add(sent);
        } else {
          pass(sent);
        }
      }
    }

    private SentCommand command(String name, Buffer command, Instant at) {
      return new SentCommand(party, name, scripts.form(Resp.word(command, 0, 1)), command, at);
    }

    /** Names the script again: another party may have sent its text while the command was held. */
    private SentCommand named(SentCommand sent) {
      return sent.name().isEmpty() ? command(name(sent.bytes()), sent.bytes(), sent.at()) : sent;
    }

    private String name(Buffer command) {
      String word = Resp.word(command, 0, 0).toUpperCase(Locale.ROOT);
      return switch (word) {
        case "EVALSHA" -> scripts.named(Resp.word(command, 0, 1));
        case "EVAL" -> scripts.learn(Resp.word(command, 0, 1));
        default -> word;
      };
    }

    private void pass(SentCommand sent) {
      Trap set = trap;
      if (set != null && set.isMeant.test(sent.name()) && set.count.decrementAndGet() == 0) {
        trap = null;
        if (set.way == Way.LATE) {
          waiting.add(sent);
          late = this;
          giveUp();
        } else if (set.holds) {
          holding = true;
          held = this;
          waiting.add(sent);
        } else {
          forward(sent, set.way);
        }
      } else {
        forward(sent, Way.FORWARD);
      }
    }

    private void forward(SentCommand sent, Way way) {
      if (gone && late != this) {
        return;
      }
      if (way == Way.LOST_REQUEST) {
        hangUp();
        return;
      }
      if (way == Way.LOST_ANSWER) {
        doomed = unanswered.size() + 1;
      }
      unanswered.add(sent);
      owed = unanswered.size();
      turns.take(() -> write(sent));
    }

    private void write(SentCommand sent) {
      if (ended) {
        turns.done();
      } else {
        inTurn = true;
        far.write(sent.bytes());
      }
    }

    private void turnIsOver() {
      if (inTurn) {
        inTurn = false;
        turns.done();
      }
    }

    private void release(Way way) {
      holding = false;
      Way next = way;
      while (!waiting.isEmpty() && (!gone || late == this)) {
        forward(waiting.poll(), next);
        next = Way.FORWARD;
        if (doomed > 0) {
          waiting.clear();
        }
      }
    }

    private void fromFar(Buffer bytes) {
      for (Buffer reply : replies.add(bytes)) {
        SentCommand sent = reply.getByte(0) == '>' ? null : unanswered.poll();
        if (sent != null) {
          witness.performed(named(sent), reply, !gone && doomed != 1);
          if (!BACKGROUND.contains(sent.name())) {
            activity.incrementAndGet();
          }
          if (doomed > 0 && --doomed == 0) {
            hangUp();
          }
        }
        if (!gone) {
          near.write(reply);
        }
        owed = unanswered.size();
        if (sent != null) {
          turnIsOver();
        }
      }
      if (gone && unanswered.isEmpty() && waiting.isEmpty()) { // a late one still goes
        far.close();
      }
    }

    private void giveUp() {
      gone = true;
      lines.remove(this);
      near.close();
    }

    /**
     * Disconnects the party. Redis still performs the commands that it received, and they are
     * witnessed.
     */
    private void hangUp() {
      if (!gone) {
        waiting.clear();
        giveUp();
        if (unanswered.isEmpty()) {
          far.close();
        }
      }
    }

    private void end() {
      ended = true;
      hangUp();
      owed = 0;
      turnIsOver();
    }
  }
}
