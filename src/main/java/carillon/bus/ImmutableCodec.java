package carillon.bus;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;

/** Codec that hands over the same instance: messages are immutable and stay in the process. */
final class ImmutableCodec<T> implements MessageCodec<T, T> {
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
