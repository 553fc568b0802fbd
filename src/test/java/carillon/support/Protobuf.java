package carillon.support;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reader of protocol buffers without their types: field numbers and bytes. */
public final class Protobuf {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;

  private final List<Field> fields = new ArrayList<>();

  /** A field with a number or bytes. */
  private static final class Field {
    private final int number;
    private final long value;
    private final byte[] bytes;

    Field(int number, long value, byte[] bytes) {
      this.number = number;
      this.value = value;
      this.bytes = bytes;
    }
  }

  private Protobuf() {}

  /** Reads a message. */
  public static Protobuf of(byte[] message) {
    Protobuf read = new Protobuf();
    ByteBuffer in = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    while (in.hasRemaining()) {
      long tag = varint(in);
      int number = (int) (tag >>> 3);
      switch ((int) (tag & 7)) {
        case VARINT -> read.fields.add(new Field(number, varint(in), new byte[0]));
        case FIXED64 -> read.fields.add(new Field(number, in.getLong(), new byte[0]));
        case FIXED32 -> read.fields.add(new Field(number, in.getInt(), new byte[0]));
        case BYTES -> {
          byte[] bytes = new byte[(int) varint(in)];
          in.get(bytes);
          read.fields.add(new Field(number, 0, bytes));
        }
        default -> throw new IllegalArgumentException("not a message");
      }
    }
    return read;
  }

  private static long varint(ByteBuffer in) {
    long value = 0;
    int shift = 0;
    byte next;
    do {
      next = in.get();
      value |= (long) (next & 0x7f) << shift;
      shift += 7;
    } while (next < 0);
    return value;
  }

  /** Returns all messages in this field. */
  public List<Protobuf> messages(int number) {
    return fields.stream().filter(f -> f.number == number).map(f -> of(f.bytes)).toList();
  }

  /** Returns the number in this field, or 0 if it is absent, as the format defines. */
  public long number(int number) {
    return fields.stream()
        .filter(f -> f.number == number)
        .mapToLong(f -> f.value)
        .findFirst()
        .orElse(0);
  }

  /** Returns the bytes in this field as text. */
  public String text(int number) {
    return new String(bytes(number), StandardCharsets.UTF_8);
  }

  public byte[] bytes(int number) {
    return fields.stream()
        .filter(f -> f.number == number)
        .map(f -> f.bytes)
        .findFirst()
        .orElse(new byte[0]);
  }

  public boolean has(int number) {
    return fields.stream().anyMatch(f -> f.number == number);
  }
}
