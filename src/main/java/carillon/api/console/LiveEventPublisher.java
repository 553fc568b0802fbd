package carillon.api.console;

import carillon.bus.Messages;
import carillon.store.StoreFactory;
import carillon.store.Stores;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.MessageConsumer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells other nodes of the attempts that end on this one, while somebody watches there. While
 * nobody does it only asks now and then, and listens to nothing. One per node. State is confined to
 * its event loop.
 */
public final class LiveEventPublisher extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(LiveEventPublisher.class);
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration TURN = Duration.ofMillis(250);

  /** In one turn. */
  private static final int MOST_LINES = 100;

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
    stores.live().isAsked().onSuccess(this::listen).onFailure(LiveEventPublisher::missed);
  }

  private void listen(boolean isAsked) {
    if (isAsked && listening == null) {
      listening = Messages.ENDED.consume(vertx.eventBus(), this::take);
    } else if (!isAsked && listening != null) {
      listening.unregister();
      listening = null;
    }
  }

  private void take(Messages.AttemptEnded ended) {
    if (ended.entry().isEmpty()) {
      return;
    }
    if (lines.size() < MOST_LINES) {
      lines.add(LiveEventCodec.of(ended, ended.entry().get()));
    } else {
      leftOut++;
    }
  }

  private void tell() {
    if (isTelling || lines.isEmpty()) {
      return;
    }
    isTelling = true;
    stores
        .live()
        .tell(lines, leftOut)
        .onFailure(LiveEventPublisher::missed)
        .onComplete(done -> isTelling = false);
    lines = new ArrayList<>();
    leftOut = 0;
  }

  private static void missed(Throwable failure) {
    LOG.atDebug().addKeyValue("error", failure).log("whoever watches was not told");
  }

  @Override
  public Future<?> stop() {
    return stores.close();
  }
}
