package carillon.bus;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

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

  /**
   * News that one consumer takes in before it matters: completes once that has been done, or cannot
   * be; never fails. Where there is no consumer it is done at once.
   */
  public Future<Void> toOneAndWait(EventBus bus, T message) {
    return bus.request(address, message).<Void>mapEmpty().otherwiseEmpty();
  }

  /** Takes messages in on the calling event loop; whoever waits is told once it is done. */
  public MessageConsumer<T> takeIn(EventBus bus, Function<T, Future<Void>> handler) {
    return bus.localConsumer(
        address, message -> handler.apply(message.body()).onComplete(done -> message.reply(null)));
  }

  /** Handles messages on the calling event loop. */
  public MessageConsumer<T> consume(EventBus bus, Consumer<T> handler) {
    return bus.localConsumer(address, message -> handler.accept(message.body()));
  }

  /** Codec that hands over the same instance: messages are immutable and stay in the process. */
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
