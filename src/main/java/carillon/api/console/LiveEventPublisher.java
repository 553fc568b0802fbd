package carillon.api.console;

import carillon.bus.Messages;
import carillon.job.attempt.HistoryEntry;
import carillon.job.name.JobKey;
import carillon.json.HistoryCodec;
import carillon.json.StoredJson;
import carillon.store.StoreFactory;
import carillon.store.Stores;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.MessageConsumer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publisher of the attempts that end on this node. It sends them to nodes with watchers. Without
 * any watcher it only asks now and then, and has no subscription. One per node. State is confined
 * to its event loop.
 */
public final class LiveEventPublisher extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(LiveEventPublisher.class);
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration TURN = Duration.ofMillis(250);

  /** Maximum number of lines that one turn sends. */
  private static final int MAX_LINES = 100;

  /** Maximum length of a target's answer in an event. The history has the full answer. */
  private static final int MAX_MESSAGE_LENGTH = 1000;

  private final StoreFactory storeFactory;
  private Stores stores; // set once started
  private MessageConsumer<Messages.AttemptEnded> listening; // null while nobody watches
  private List<String> lines = new ArrayList<>();
  private long leftOut;
  private boolean isTelling;

  public LiveEventPublisher(StoreFactory storeFactory) {
    this.storeFactory = storeFactory;
  }

  @Override
  public Future<?> start() {
    return storeFactory
        .open(vertx)
        .onSuccess(
            opened -> {
              stores = opened;
              vertx.setPeriodic(LOOK.toMillis(), id -> look());
              vertx.setPeriodic(TURN.toMillis(), id -> tell());
            });
  }

  private void look() {
    stores
        .operation()
        .live()
        .isSubscribed()
        .onSuccess(this::listen)
        .onFailure(LiveEventPublisher::missed);
  }

  private void listen(boolean isWatched) {
    if (isWatched && listening == null) {
      listening = Messages.ENDED.consume(vertx.eventBus(), this::take);
    } else if (!isWatched && listening != null) {
      listening.unregister();
      listening = null;
    }
  }

  private void take(Messages.AttemptEnded ended) {
    if (ended.entry().isEmpty()) {
      return;
    }
    if (lines.size() < MAX_LINES) {
      lines.add(line(ended, ended.entry().get()));
    } else {
      leftOut++;
    }
  }

  /**
   * Returns an attempt in the form that nodes exchange: {@code sub/group/coll/job Coll/Job entry}.
   */
  static String line(Messages.AttemptEnded ended, HistoryEntry entry) {
    return ended.claim().attempt().job()
        + " "
        + ended.name()
        + " "
        + StoredJson.write(shortened(entry));
  }

  private static HistoryEntry shortened(HistoryEntry entry) {
    return entry.message().length() <= MAX_MESSAGE_LENGTH
        ? entry
        : entry.withMessage(entry.message().substring(0, MAX_MESSAGE_LENGTH) + "…");
  }

  /** Reads such a line; empty when a node of another version wrote it in another form. */
  static Optional<HistoryCodec.Live> read(String node, String line) {
    String[] parts = line.split(" ", 3);
    boolean isWhole =
        parts.length == 3 && JobKey.hasItsForm(parts[0]) && parts[1].split("/", -1).length == 2;
    if (!isWhole) {
      return Optional.empty();
    }
    try {
      HistoryEntry entry = StoredJson.readHistory(parts[2]);
      return Optional.of(new HistoryCodec.Live(node, parts[0], parts[1], entry));
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  private void tell() {
    if (isTelling || lines.isEmpty()) {
      return;
    }
    isTelling = true;
    stores
        .operation()
        .live()
        .tell(lines, leftOut)
        .onFailure(LiveEventPublisher::missed)
        .onComplete(done -> isTelling = false);
    lines = new ArrayList<>();
    leftOut = 0;
  }

  private static void missed(Throwable failure) {
    LOG.atDebug().addKeyValue("error", failure.getMessage()).log("live events not published");
  }

  @Override
  public Future<?> stop() {
    return stores.close();
  }
}
