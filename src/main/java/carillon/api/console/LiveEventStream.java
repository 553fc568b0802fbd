package carillon.api.console;

import carillon.api.edge.AdmissionLimits;
import carillon.api.http.HttpException;
import carillon.bus.Messages;
import carillon.json.HistoryCodec;
import carillon.store.operation.LiveStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stream of attempts as they end, on this node and a moment later on all others, to browsers as
 * server-sent events. A slow browser loses lines and learns how many; nothing waits for it. Without
 * watchers, it has no subscription and no node publishes. Confined to one event loop.
 */
public final class LiveEventStream {
  private static final Logger LOG = LoggerFactory.getLogger(LiveEventStream.class);

  /** Maximum number of attempts that wait for one browser until the next turn. */
  private static final int MAX_WAITING = 200;

  private static final int MAX_WATCHERS = 50;
  private static final long EVERY_MS = 250;

  /** Number of turns without news before a comment is sent. It keeps the connection of proxies. */
  private static final int SILENT_TURNS = 20;

  /** Number of turns between two authorisations of a watcher. */
  private static final int CHECKED_TURNS = 8;

  private final Vertx vertx;
  private final LiveStore others;
  private final InstantSource clock;
  private final String node;
  private final AdmissionLimits admission;
  private final Consumer<HttpConnection> alive;
  private final Set<Watcher> watchers = new HashSet<>();
  private MessageConsumer<Messages.AttemptEnded> listening;
  private long ticker;
  private int turns;
  private String heard; // the id of the last batch, once somebody watches
  private Object audience = new Object(); // replaced when a first watcher comes
  private boolean isHearing;

  /**
   * A stream without watchers.
   *
   * @param others events of other nodes
   * @param clock of Redis
   * @param node id of this node, sent to each watcher
   * @param admission counts the streams of each caller
   * @param alive called now and then with each connection that has a watcher
   */
  public LiveEventStream(
      Vertx vertx,
      LiveStore others,
      InstantSource clock,
      String node,
      AdmissionLimits admission,
      Consumer<HttpConnection> alive) {
    this.vertx = vertx;
    this.others = others;
    this.clock = clock;
    this.node = node;
    this.admission = admission;
    this.alive = alive;
  }

  private static final class Watcher {
    private final HttpServerRequest request;
    private final String caller;
    private final Supplier<Future<Void>> allowed;
    private final boolean seesAll;
    private final Predicate<HistoryCodec.Live> wanted;
    private final Deque<HistoryCodec.Live> waiting = new ArrayDeque<>();
    private long lost;
    private int silent;
    private int turns;

    Watcher(
        HttpServerRequest request,
        String caller,
        Supplier<Future<Void>> allowed,
        boolean seesAll,
        Predicate<HistoryCodec.Live> wanted) {
      this.request = request;
      this.caller = caller;
      this.allowed = allowed;
      this.seesAll = seesAll;
      this.wanted = wanted;
    }

    /** Counts lost attempts. A caller who sees only some learns nothing of the number of all. */
    void lose(long leftOut) {
      lost += seesAll ? leftOut : Math.min(1, leftOut);
    }

    void offer(HistoryCodec.Live attempt) {
      if (!wanted.test(attempt)) {
        return;
      }
      if (waiting.size() >= MAX_WAITING) {
        lost++;
      } else {
        waiting.add(attempt);
      }
    }
  }

  /**
   * Answers with a stream that ends when the client or the node goes, or the client may no longer
   * see it.
   *
   * @param caller who watches
   * @param allowed called every few seconds; fails when the caller may no longer watch
   * @param seesAll whether the caller may read everything
   */
  void watch(
      HttpServerRequest request,
      String caller,
      Supplier<Future<Void>> allowed,
      boolean seesAll,
      Predicate<HistoryCodec.Live> wanted) {
    if (watchers.size() >= MAX_WATCHERS) {
      throw HttpException.busy("Too many clients watch this node; try again.");
    }
    admission.enterStream(caller);
    Watcher watcher = new Watcher(request, caller, allowed, seesAll, wanted);
    watchers.add(watcher);
    HttpServerResponse response = request.response().setChunked(true);
    response
        .putHeader("Content-Type", "text/event-stream; charset=utf-8")
        .putHeader("Cache-Control", "no-store")
        .putHeader("X-Content-Type-Options", "nosniff")
        .closeHandler(closed -> leave(watcher));
    response.exceptionHandler(failure -> leave(watcher));
    send(response, ": watching\n\nevent: node\ndata: \"" + node + "\"\n\n");
    if (watchers.size() == 1) {
      heard = LiveStore.at(clock.instant());
      audience = new Object();
      isHearing = false;
      turns = 0;
      listening = Messages.ENDED.consume(vertx.eventBus(), this::offer);
      ticker = vertx.setPeriodic(EVERY_MS, id -> turn());
    }
  }

  private void offer(Messages.AttemptEnded ended) {
    String job = ended.claim().attempt().job();
    ended.entry().ifPresent(entry -> offer(new HistoryCodec.Live(node, job, ended.name(), entry)));
  }

  private void offer(HistoryCodec.Live attempt) {
    watchers.forEach(watcher -> watcher.offer(attempt));
  }

  /** Asks the other nodes to publish, and reads the published events. */
  private void hear() {
    if (turns++ % CHECKED_TURNS == 0) {
      others.subscribe().onFailure(LiveEventStream::missed);
    }
    if (isHearing) {
      return;
    }
    isHearing = true;
    Object asking = audience;
    others
        .after(heard)
        .onFailure(LiveEventStream::missed)
        .onComplete(
            reply -> {
              if (asking == audience) { // otherwise all watchers of the request have left
                isHearing = false;
                reply.otherwise(List.of()).result().forEach(this::take);
              }
            });
  }

  private void take(LiveStore.LiveBatch batch) {
    heard = batch.id();
    if (!others.isOwn(batch)) {
      watchers.forEach(watcher -> watcher.lose(batch.leftOut()));
      batch
          .attempts()
          .forEach(line -> LiveEventPublisher.read(batch.node(), line).ifPresent(this::offer));
    }
  }

  private static void missed(Throwable failure) {
    LOG.atDebug()
        .addKeyValue("error", failure.getMessage())
        .log("live events of other nodes not read");
  }

  private void leave(Watcher watcher) {
    if (!watchers.remove(watcher)) {
      return;
    }
    admission.leaveStream(watcher.caller);
    if (watchers.isEmpty()) {
      listening.unregister();
      vertx.cancelTimer(ticker);
    }
  }

  private void turn() {
    hear();
    List.copyOf(watchers).forEach(this::turn);
  }

  private void turn(Watcher watcher) {
    HttpServerResponse response = watcher.request.response();
    if (++watcher.turns % CHECKED_TURNS == 0) {
      watcher.allowed.get().onFailure(refused -> end(watcher));
    }
    if (response.closed() || response.ended() || response.writeQueueFull()) {
      return;
    }
    if (watcher.waiting.isEmpty() && watcher.lost == 0) {
      if (++watcher.silent >= SILENT_TURNS) {
        watcher.silent = 0;
        alive.accept(watcher.request.connection());
        send(response, ": still here\n\n");
      }
      return;
    }
    List<HistoryCodec.Live> lines = List.copyOf(watcher.waiting);
    watcher.waiting.clear();
    StringBuilder events = new StringBuilder();
    if (!lines.isEmpty()) {
      events.append("event: executions\ndata: ").append(HistoryCodec.live(lines)).append("\n\n");
    }
    if (watcher.lost > 0) {
      events.append("event: lost\ndata: ").append(watcher.lost).append("\n\n");
      watcher.lost = 0;
    }
    alive.accept(watcher.request.connection());
    send(response, events.toString());
  }

  /** Sends events. Ignores the outcome, because the close handler reports failures. */
  private static void send(HttpServerResponse response, String events) {
    response.write(events).onFailure(failure -> response.reset());
  }

  /** Ends all streams. */
  public void close() {
    List.copyOf(watchers).forEach(this::end);
  }

  private void end(Watcher watcher) {
    leave(watcher);
    watcher.request.response().end();
  }
}
