package carillon.api.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Content coding gzip (RFC 9110, section 8.4.1.3) of response bodies, for clients that accept it.
 *
 * <p>The compressor of Vert.x is a handler in the pipeline of each connection, which each request
 * and response passes. This one costs requests with small answers nothing, as those that write a
 * job are, and event streams do not pass it.
 */
final class GzipCoding {
  /** Minimum size of a compressed body, in bytes. A smaller one fits into a packet. */
  static final int MIN_BYTES = 1024;

  /** Maximum size of a compressed body, in bytes. A larger one would block the event loop. */
  static final int MAX_BYTES = 1 << 20;

  private static final String GZIP = "gzip";
  private static final Pattern REFUSED = Pattern.compile("q=0(\\.0{0,3})?");

  private GzipCoding() {}

  /**
   * Returns the body for the client, and sets the matching headers of the response.
   *
   * @param compressor supplies the compressed body if the client gets that
   */
  static Buffer coded(HttpServerRequest request, Buffer body, UnaryOperator<Buffer> compressor) {
    if (body.length() < MIN_BYTES || body.length() > MAX_BYTES) {
      return body;
    }
    HttpServerResponse response = request.response();
    response.headers().add(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
    if (!isAccepted(request.headers().getAll(HttpHeaders.ACCEPT_ENCODING))) {
      return body;
    }
    response.putHeader(HttpHeaders.CONTENT_ENCODING, GZIP);
    return compressor.apply(body);
  }

  private static boolean isAccepted(List<String> headers) {
    return headers.stream()
        .flatMap(header -> Stream.of(header.split(",")))
        .map(coding -> coding.toLowerCase(Locale.ROOT).replaceAll("\\s", "").split(";", 2))
        .filter(coding -> coding[0].equals(GZIP))
        .anyMatch(coding -> coding.length == 1 || !REFUSED.matcher(coding[1]).matches());
  }

  /** The body, compressed. */
  static Buffer compressed(Buffer body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length() / 4);
    try (GZIPOutputStream gzip = new FastGzip(bytes)) {
      gzip.write(body.getBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    return Buffer.buffer(bytes.toByteArray());
  }

  /** Stream at the level that takes least time: JSON shrinks to a tenth with it already. */
  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(ByteArrayOutputStream to) throws IOException {
      super(to);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
