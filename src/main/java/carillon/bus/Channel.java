package carillon.bus;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Address on the event bus, with the type of its messages.
 *
 * @param address subject and its new state, such as {@code attempt.claimed}
 * @param type an immutable record, passed by reference
 */
public record Channel<T>(String address, Class<T> type) {

  /** Registers the codec for messages of this type. Called once for each Vert.x instance. */
  void register(EventBus bus) {
    bus.registerDefaultCodec(type, new ImmutableCodec<>(type));
  }

  /** Sends work: one of the consumers takes it. */
  public void toOne(EventBus bus, T message) {
    bus.send(address, message);
  }

  /** Publishes news to all consumers, if there are any. */
  public void toAll(EventBus bus, T message) {
    bus.publish(address, message);
  }

  /**
   * Sends news to one consumer, and waits until it has processed them. Also completes if processing
   * fails or no consumer exists; the future never fails. Without a consumer it completes
   * immediately.
   */
  public Future<Void> toOneAndWait(EventBus bus, T message) {
    return bus.request(address, message).<Void>mapEmpty().otherwiseEmpty();
  }

  /** Processes messages on the calling event loop. Replies to a waiting sender when done. */
  public MessageConsumer<T> takeIn(EventBus bus, Function<T, Future<Void>> handler) {
    return bus.localConsumer(
        address, message -> handler.apply(message.body()).onComplete(done -> message.reply(null)));
  }

  /** Handles messages on the calling event loop. */
  public MessageConsumer<T> consume(EventBus bus, Consumer<T> handler) {
    return bus.localConsumer(address, message -> handler.accept(message.body()));
  }

  /**
   * Codec that passes on the same instance, since messages are immutable and stay in the process.
   */
  private static final class ImmutableCodec<T> implements MessageCodec<T, T> {
    private final Class<T> type;

    ImmutableCodec(Class<T> type) {
      this.type = type;
    }

    @Override
    public T transform(T message) {
      return message;
    }

    @Override
    public String name() {
      return type.getName();
    }

    @Override
    public byte systemCodecID() {
      return -1;
    }

    @Override
    public void encodeToWire(Buffer buffer, T message) {
      throw local();
    }

    @Override
    public T decodeFromWire(int position, Buffer buffer) {
      throw local();
    }

    private IllegalStateException local() {
      return new IllegalStateException(type.getSimpleName() + " is a message within one process");
    }
  }
}
