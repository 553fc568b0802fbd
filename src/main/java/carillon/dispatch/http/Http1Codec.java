package carillon.dispatch.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.CombinedChannelDuplexHandler;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Codec of HTTP/1.1 for a connection that carries one call at a time. Reads an answer only while a
 * call waits for one, and refuses status lines that break RFC 9112, section 4.
 */
final class Http1Codec
    extends CombinedChannelDuplexHandler<HttpResponseDecoder, HttpRequestEncoder> {
  /** Rule for the status of an answer, of HTTP/2 too. */
  static final String BAD_STATUS = "its status code is not three digits from 100 to 999";

  /**
   * Beginning of accepted versions. Later minor versions are read as 1.1 (RFC 9110, section 2.5).
   */
  private static final String VERSION = "HTTP/1.";

  private final ConnectionGuard guard;
  private boolean isHead;

  Http1Codec(ConnectionGuard guard) {
    this.guard = guard;
    init(new AnswerDecoder(), new RequestEncoder());
  }

  /** Whether a status is one of three digits, the first of them not zero. */
  static boolean isStatus(CharSequence status) {
    return status.length() == 3
        && isDigit(status.charAt(0))
        && status.charAt(0) != '0'
        && isDigit(status.charAt(1))
        && isDigit(status.charAt(2));
  }

  /** Whether a character is one of the ten of ASCII. */
  private static boolean isDigit(char character) {
    return character >= '0' && character <= '9';
  }

  private static boolean isVersion(String text) {
    return text.length() == VERSION.length() + 1
        && text.startsWith(VERSION)
        && isDigit(text.charAt(VERSION.length()));
  }

  /** Names the rule of HTTP/1.1 that an answer breaks. */
  static Optional<String> faultOf(Object message) {
    Throwable failure = message instanceof HttpObject part ? part.decoderResult().cause() : null;
    if (failure == null || failure instanceof PrematureChannelClosureException) {
      return Optional.empty();
    }
    if (failure instanceof StatusLineException) {
      return Optional.of(failure.getMessage());
    }
    if (failure instanceof TooLongHttpHeaderException) {
      return Optional.of("its headers are too long");
    }
    if (failure instanceof TooLongHttpLineException) {
      return Optional.of("its first line, or that of a chunk, is too long");
    }
    if (message instanceof HttpContent && !(message instanceof HttpMessage)) {
      return Optional.of("a chunk of its body is malformed");
    }
    String text = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
    if (text.contains("content-length") || text.contains("content length")) {
      return Optional.of(
          text.contains("transfer-encoding")
              ? "it has both Content-Length and Transfer-Encoding"
              : "it has several values of Content-Length, or one that is no number");
    }
    return Optional.of("its status line or a header is malformed");
  }

  /** Notes the method: the answer to HEAD has no body. */
  private final class RequestEncoder extends HttpRequestEncoder {
    @Override
    protected void encode(ChannelHandlerContext context, Object message, List<Object> out)
        throws Exception {
      if (message instanceof HttpRequest request) {
        isHead = request.method().equals(HttpMethod.HEAD);
      }
      super.encode(context, message, out);
    }
  }

  /** Decoder of answers. Hands bytes that no call waits for to the guard. */
  private final class AnswerDecoder extends HttpResponseDecoder {
    AnswerDecoder() {
      super(new HttpDecoderConfig());
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
        throws Exception {
      if (guard.isAnswerDue()) {
        super.decode(context, in, out);
      } else {
        in.skipBytes(in.readableBytes());
        guard.unasked();
      }
    }

    @Override
    protected HttpMessage createMessage(String[] line) {
      if (!isVersion(line[0])) {
        throw new StatusLineException("it does not begin with HTTP/1.1 or HTTP/1.0");
      }
      if (!isStatus(line[1])) {
        throw new StatusLineException(BAD_STATUS);
      }
      if (!line[0].equals(HttpVersion.HTTP_1_0.text())) {
        line[0] = HttpVersion.HTTP_1_1.text();
      }
      return super.createMessage(line);
    }

    @Override
    protected boolean isContentAlwaysEmpty(HttpMessage message) {
      boolean isInterim =
          ((HttpResponse) message).status().codeClass() == HttpStatusClass.INFORMATIONAL;
      return (isHead && !isInterim) || super.isContentAlwaysEmpty(message);
    }
  }

  /** Status line that is not valid. The message names the rule. */
  private static final class StatusLineException extends IllegalArgumentException {
    StatusLineException(String rule) {
      super(rule);
    }
  }
}
