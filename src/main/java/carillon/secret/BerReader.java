package carillon.secret;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Reader of values in BER (ITU-T X.690), as far as PKCS #12 files need it: definite and indefinite
 * lengths, tags of one byte. Any fault is an {@link IllegalArgumentException}.
 *
 * @param tag with its class and the bit of constructed values
 * @param content of the bytes that it was read from
 */
record BerReader(int tag, ByteBuffer content) {
  private static final int INTEGER = 0x02;
  private static final int OCTETS = 0x04;
  private static final int OID = 0x06;
  private static final int SEQUENCE = 0x30;
  private static final int CONSTRUCTED = 0x20;
  private static final int MAX_DEPTH = 32;

  /** The first value of these bytes. */
  static BerReader read(byte[] bytes) {
    return read(ByteBuffer.wrap(bytes), 0);
  }

  private static BerReader read(ByteBuffer in, int depth) {
    require(depth < MAX_DEPTH && in.remaining() >= 2);
    int tag = in.get() & 0xFF;
    require((tag & 0x1F) != 0x1F);
    int length = in.get() & 0xFF;
    if (length == 0x80) {
      return new BerReader(tag, untilEnd(in, depth));
    }
    if (length > 0x80) {
      length = longLength(in, length & 0x7F);
    }
    require(length <= in.remaining());
    ByteBuffer content = in.slice(in.position(), length);
    in.position(in.position() + length);
    return new BerReader(tag, content);
  }

  private static int longLength(ByteBuffer in, int bytes) {
    require(bytes <= 4 && bytes <= in.remaining());
    long length = 0;
    for (int i = 0; i < bytes; i++) {
      length = (length << 8) | (in.get() & 0xFF);
    }
    require(length <= Integer.MAX_VALUE);
    return (int) length;
  }

  /** Reads content of an indefinite length: up to a value of two zeros. */
  private static ByteBuffer untilEnd(ByteBuffer in, int depth) {
    int start = in.position();
    while (true) {
      int end = in.position();
      BerReader value = read(in, depth + 1);
      if (value.tag == 0 && value.content.remaining() == 0) {
        return in.slice(start, end - start);
      }
    }
  }

  /** The values in a constructed one. */
  List<BerReader> fields() {
    require((tag & CONSTRUCTED) != 0);
    List<BerReader> fields = new ArrayList<>();
    ByteBuffer in = content.duplicate();
    while (in.hasRemaining()) {
      fields.add(read(in, 0));
    }
    return fields;
  }

  BerReader field(int index) {
    List<BerReader> fields = fields();
    require(index < fields.size());
    return fields.get(index);
  }

  /** Returns the bytes of an octet string, also of one in pieces, with any tag. */
  byte[] octets() {
    if ((tag & CONSTRUCTED) == 0) {
      return bytes();
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    fields().forEach(piece -> all.writeBytes(piece.octets()));
    return all.toByteArray();
  }

  /** Returns the object identifier in hexadecimal digits. */
  String oid() {
    require(tag == OID);
    return HexFormat.of().formatHex(bytes());
  }

  BigInteger integer() {
    require(tag == INTEGER && content.hasRemaining());
    return new BigInteger(bytes());
  }

  private byte[] bytes() {
    byte[] bytes = new byte[content.remaining()];
    content.duplicate().get(bytes);
    return bytes;
  }

  /** Returns the element in a new encoding, with definite lengths only. */
  byte[] encoded() {
    if ((tag & CONSTRUCTED) == 0) {
      return encoded(tag, bytes());
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    fields().forEach(field -> all.writeBytes(field.encoded()));
    return encoded(tag, all.toByteArray());
  }

  /** A sequence of a value and an octet string. */
  static byte[] sequence(BerReader first, byte[] octets) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(first.encoded());
    all.writeBytes(encoded(OCTETS, octets));
    return encoded(SEQUENCE, all.toByteArray());
  }

  private static byte[] encoded(int tag, byte[] content) {
    return ByteBuffer.allocate(content.length + 6)
        .put((byte) tag)
        .put((byte) 0x84)
        .putInt(content.length)
        .put(content)
        .array();
  }

  private static void require(boolean isTrue) {
    if (!isTrue) {
      throw new IllegalArgumentException("no BER that can be read");
    }
  }
}
