package carillon.dispatch.http;

import carillon.job.action.Secret;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Redactor of secrets. It removes them from a text in plain form, in base64 of either alphabet
 * (also inside a longer value), and in the {@link Escapes} of URIs, forms, HTML and JSON. It also
 * finds two of these escapes nested.
 *
 * <p>It searches the UTF-8 bytes of a text, one character for each, since a percent-encoded
 * character may be in pieces.
 */
final class Redactor {
  /**
   * Minimum length of a secret to hide. Shorter texts occur everywhere: hiding them would spoil the
   * message and protect nothing.
   */
  private static final int MIN_LENGTH = 4;

  private static final int MAX_DEPTH = 2;
  private static final String BASE64_SIGNS = "+/-_";

  private final Set<Needle> needles;

  private Redactor(Set<Needle> needles) {
    this.needles = needles;
  }

  static Redactor of(Collection<String> secrets) {
    Set<Needle> needles = new LinkedHashSet<>();
    for (String secret : secrets) {
      if (secret.length() >= MIN_LENGTH) {
        addNeedles(needles, secret);
      }
    }
    return new Redactor(needles);
  }

  private static void addNeedles(Set<Needle> needles, String secret) {
    byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
    needles.add(new Needle(bytes(secret), 0, 0));
    if (bytes.length > secret.length()) {
      byte[] latin = secret.getBytes(StandardCharsets.ISO_8859_1);
      needles.add(new Needle(new String(latin, StandardCharsets.ISO_8859_1), 0, 0));
      needles.add(new Needle(bytes(new String(latin, StandardCharsets.UTF_8)), 0, 0));
    }
    for (int offset = 0; offset < 3; offset++) {
      Needle base64 = base64(bytes, offset);
      needles.add(base64);
      needles.add(base64.inUrlAlphabet());
    }
  }

  /**
   * Returns the base64 digits that are the same in any value with the secret at this offset. Digits
   * that depend also on the neighbours of the secret are left out.
   *
   * @param offset number of bytes before the secret, modulo 3
   */
  private static Needle base64(byte[] secret, int offset) {
    byte[] bytes = new byte[offset + secret.length];
    System.arraycopy(secret, 0, bytes, offset, secret.length);
    int bits = bytes.length * 8;
    String all = Base64.getEncoder().encodeToString(bytes);
    String sure = all.substring((offset * 8 + 5) / 6, bits / 6);
    return new Needle(sure, offset == 0 ? 0 : 1, bits % 6 == 0 ? 0 : 1);
  }

  /** The text with {@link Secret#MASK} in the place of each secret; itself when there is none. */
  String redact(String text) {
    if (needles.isEmpty() || text.isEmpty()) {
      return text;
    }
    List<ByteRange> found = new ArrayList<>();
    ByteView whole = ByteView.of(bytes(text));
    search(whole, 0, found);
    return found.isEmpty() ? text : masked(whole.bytes(), found);
  }

  private void search(ByteView view, int depth, List<ByteRange> found) {
    for (Needle needle : needles) {
      needle.find(view, found);
    }
    if (depth < MAX_DEPTH) {
      for (Escapes escapes : Escapes.values()) {
        if (escapes.mayBeIn(view.bytes())) {
          search(escapes.decoded(view), depth + 1, found);
        }
      }
    }
  }

  /** Masks the ranges. Secrets that overlap have one mask; secrets that only touch have two. */
  private static String masked(String bytes, List<ByteRange> found) {
    found.sort(Comparator.comparingInt(ByteRange::from));
    StringBuilder masked = new StringBuilder(bytes.length());
    int copied = 0;
    for (ByteRange range : found) {
      if (range.from() >= copied) {
        masked.append(bytes, copied, range.from()).append(Secret.MASK);
      }
      copied = Math.max(copied, range.to());
    }
    masked.append(bytes, copied, bytes.length());
    return new String(
        masked.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  private static String bytes(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  /** Range of bytes in the text. */
  private record ByteRange(int from, int to) {}

  /**
   * A form of a secret.
   *
   * @param before number of base64 digits before it that hold a part of the secret
   * @param after number of such digits after it; padding may follow
   */
  private record Needle(String bytes, int before, int after) {
    Needle inUrlAlphabet() {
      return new Needle(bytes.replace('+', '-').replace('/', '_'), before, after);
    }

    void find(ByteView view, List<ByteRange> found) {
      String text = view.bytes();
      for (int at = text.indexOf(bytes); at >= 0; at = text.indexOf(bytes, at + 1)) {
        int from = before > 0 && at > 0 && isDigit(text.charAt(at - 1)) ? at - 1 : at;
        found.add(new ByteRange(view.start(from), view.end(end(text, at + bytes.length()) - 1)));
      }
    }

    private int end(String text, int from) {
      int to = from;
      if (after > 0 && to < text.length() && isDigit(text.charAt(to))) {
        to++;
        while (to < text.length() && to < from + 3 && text.charAt(to) == '=') {
          to++;
        }
      }
      return to;
    }

    private static boolean isDigit(char c) {
      return c < 0x80 && (Character.isLetterOrDigit(c) || BASE64_SIGNS.indexOf(c) >= 0);
    }
  }

  /**
   * Text after its escapes were undone.
   *
   * @param bytes one character each
   * @param starts position of each byte in the text, the same for all bytes of one escape, followed
   *     by the end of the last one; null if nothing was undone
   */
  @SuppressWarnings("ArrayRecordComponent") // views are not compared
  record ByteView(String bytes, int[] starts) {
    static ByteView of(String bytes) {
      return new ByteView(bytes, null);
    }

    int start(int at) {
      return starts == null ? at : starts[at];
    }

    int end(int at) {
      int next = at + 1;
      while (starts != null && next < bytes.length() && starts[next] == starts[at]) {
        next++;
      }
      return start(next);
    }
  }
}
