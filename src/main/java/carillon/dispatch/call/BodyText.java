package carillon.dispatch.call;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;

/**
 * Text of a body for the history: decompressed (gzip and deflate) and read in the charset that the
 * answer names, else in UTF-8. Other bodies are named as binary.
 */
final class BodyText {
  /** Maximum number of bytes after decompression. The rest of the body is not read. */
  private static final int MAX_BYTES = 65_536;

  private static final int BUFFER = 4096;

  private static final Pattern CHARSET =
      Pattern.compile(";\\s*charset\\s*=\\s*\"?([A-Za-z0-9._:+-]{1,40})", Pattern.CASE_INSENSITIVE);

  private BodyText() {}

  /** The text of a body, or a word about its length. */
  static String of(byte[] body, MultiMap headers) {
    return plain(body, headers)
        .flatMap(bytes -> text(bytes, charset(headers)))
        .orElseGet(() -> "(binary, " + body.length + " bytes)");
  }

  /** Decompresses a body as far as possible, since the end of a long body is missing. */
  private static Optional<byte[]> plain(byte[] body, MultiMap headers) {
    String coding = String.valueOf(headers.get(HttpHeaders.CONTENT_ENCODING)).trim();
    return switch (coding.toLowerCase(Locale.ROOT)) {
      case "null", "", "identity" -> Optional.of(body);
      case "gzip", "x-gzip" -> read(body, GZIPInputStream::new);
      case "deflate" -> read(body, InflaterInputStream::new);
      default -> body.length == 0 ? Optional.of(body) : Optional.empty();
    };
  }

  /** Opener of a compressed stream. */
  private interface Decompressor {
    InputStream open(InputStream compressed) throws IOException;
  }

  private static Optional<byte[]> read(byte[] body, Decompressor decompressor) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try (InputStream in = decompressor.open(new ByteArrayInputStream(body))) {
      byte[] part = new byte[BUFFER];
      for (int n = in.read(part); n >= 0 && all.size() < MAX_BYTES; n = in.read(part)) {
        all.write(part, 0, n);
      }
    } catch (IOException e) {
      // Keep the part before the fault.
    }
    return body.length == 0 || all.size() > 0 ? Optional.of(all.toByteArray()) : Optional.empty();
  }

  private static Optional<Charset> charset(MultiMap headers) {
    String type = headers.get(HttpHeaders.CONTENT_TYPE);
    Matcher name = CHARSET.matcher(type == null ? "" : type);
    if (!name.find()) {
      return Optional.of(StandardCharsets.UTF_8);
    }
    try {
      return Optional.of(Charset.forName(name.group(1)));
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      return Optional.empty();
    }
  }

  /** Decodes the bytes; empty if they are invalid in the charset. Accepts a cut last character. */
  private static Optional<String> text(byte[] bytes, Optional<Charset> charset) {
    CharsetDecoder decoder =
        charset
            .orElse(StandardCharsets.UTF_8)
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    int most = (int) Math.ceil(bytes.length * (double) decoder.maxCharsPerByte());
    CharBuffer text = CharBuffer.allocate(Math.min(MAX_BYTES, most));
    CoderResult result = decoder.decode(ByteBuffer.wrap(bytes), text, false);
    String decoded = text.flip().toString();
    return result.isError() || decoded.indexOf(0) >= 0 ? Optional.empty() : Optional.of(decoded);
  }
}
