package carillon.api.classic;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The id of a request in the classic dialect, 32 hex digits. Clients ask with it how the request
 * went. What they may ask for is done when the request is answered, so the id itself carries the
 * status of that answer: any node can tell, for ever, and nothing is stored.
 *
 * <pre>8 bytes random | 22 bits random, 10 bits status hidden by the random ones | CRC-32</pre>
 *
 * <p>The checksum, which covers the subscription too, tells ids that were given from those that
 * were not. It is no secret: whoever makes up an id learns what they made up.
 */
final class ClassicRequestId {
  private static final int STATUS_BITS = 0x3FF;
  private static final Pattern SHAPE = Pattern.compile("[0-9a-f]{32}");

  private ClassicRequestId() {}

  /** A new id for a request of this subscription that is answered with this status. */
  static String of(String subscription, int status) {
    long random = ThreadLocalRandom.current().nextLong();
    int hidden = (status ^ (int) random) & STATUS_BITS;
    int second = (ThreadLocalRandom.current().nextInt() & ~STATUS_BITS) | hidden;
    ByteBuffer id = ByteBuffer.allocate(16).putLong(random).putInt(second);
    return HexFormat.of().formatHex(id.putInt(checksum(subscription, random, second)).array());
  }

  /** The status that the request with this id was answered with, if there was such a request. */
  static OptionalInt status(String subscription, String id) {
    String bare = id.replace("-", "").toLowerCase(Locale.ROOT);
    if (!SHAPE.matcher(bare).matches()) {
      return OptionalInt.empty();
    }
    ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(bare));
    long random = bytes.getLong();
    int second = bytes.getInt();
    return bytes.getInt() == checksum(subscription, random, second)
        ? OptionalInt.of((second ^ (int) random) & STATUS_BITS)
        : OptionalInt.empty();
  }

  private static int checksum(String subscription, long random, int second) {
    CRC32 crc = new CRC32();
    crc.update(subscription.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8));
    crc.update(ByteBuffer.allocate(12).putLong(random).putInt(second).flip());
    return (int) crc.getValue();
  }
}
