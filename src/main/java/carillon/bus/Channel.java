package carillon.bus;

import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.function.Consumer;

/**
 * An address and the one type of message that goes there.
 *
 * @param address noun dot past participle
 * @param type an immutable record, passed by reference
 */
public record Channel<T>(String address, Class<T> type) {

  /** Lets messages of this type travel as they are; once for each Vert.x instance. */
  void register(EventBus bus) {
    bus.registerDefaultCodec(type, new ImmutableCodec<>(type));
  }

  /** Work: one of the consumers takes it. */
  public void toOne(EventBus bus, T message) {
    bus.send(address, message);
  }

  /** News: all of the consumers get it, if there are any. */
  public void toAll(EventBus bus, T message) {
    bus.publish(address, message);
  }

  /** Handles messages on the calling event loop. */
  public MessageConsumer<T> consume(EventBus bus, Consumer<T> handler) {
    return bus.localConsumer(address, message -> handler.accept(message.body()));
  }
}
