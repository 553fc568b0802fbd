package carillon.api.http;

import carillon.job.JobException;
import carillon.job.Quoted;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Undoes percent-encoding, once and strictly: what is not well-formed UTF-8 is refused. */
final class PercentDecoding {
  private PercentDecoding() {}

  static String decode(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes(text))).toString();
    } catch (CharacterCodingException | NumberFormatException e) {
      throw JobException.invalid("'" + Quoted.of(text) + "' is not percent-encoded UTF-8");
    }
  }

  private static byte[] bytes(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '%') {
        bytes.write(hex(text, i + 1) << 4 | hex(text, i + 2));
        i += 2;
      } else {
        bytes.writeBytes(String.valueOf(text.charAt(i)).getBytes(StandardCharsets.UTF_8));
      }
    }
    return bytes.toByteArray();
  }

  private static int hex(String text, int at) {
    int digit = at < text.length() ? Character.digit(text.charAt(at), 16) : -1;
    if (digit < 0) {
      throw new NumberFormatException(text);
    }
    return digit;
  }
}
