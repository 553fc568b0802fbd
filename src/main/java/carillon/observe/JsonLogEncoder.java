package carillon.observe;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Set;
import org.slf4j.event.KeyValuePair;

/**
 * Log encoder that writes each event as one JSON object on a separate line. Its fields are {@code
 * time}, {@code level}, {@code logger}, {@code message}, {@code node}, the keys of the event, and
 * {@code exception} with its stack trace. Numbers and booleans are such, every other value is its
 * text. Thread-safe.
 */
public final class JsonLogEncoder extends EncoderBase<ILoggingEvent> {
  /** Property of the logger context that holds the name of the node, once it is known. */
  public static final String NODE = "node";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  /** Keys that an event may not take from the line. */
  private static final Set<String> OURS =
      Set.of("time", "level", "logger", "message", NODE, "exception");

  private final JsonFactory factory = new JsonFactory();

  @Override
  public byte[] headerBytes() {
    return new byte[0];
  }

  @Override
  public byte[] footerBytes() {
    return new byte[0];
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    ByteArrayOutputStream line = new ByteArrayOutputStream(256);
    try (JsonGenerator json = factory.createGenerator(line)) {
      json.writeStartObject();
      json.writeStringField("time", TIME.format(event.getInstant()));
      json.writeStringField("level", event.getLevel().toString());
      json.writeStringField("logger", event.getLoggerName());
      json.writeStringField("message", event.getFormattedMessage());
      String node = event.getLoggerContextVO().getPropertyMap().get(NODE);
      if (node != null) {
        json.writeStringField(NODE, node);
      }
      keys(json, event.getKeyValuePairs());
      IThrowableProxy thrown = event.getThrowableProxy();
      if (thrown != null) {
        json.writeStringField("exception", ThrowableProxyUtil.asString(thrown));
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    line.write('\n');
    return line.toByteArray();
  }

  private static void keys(JsonGenerator json, List<KeyValuePair> pairs) throws IOException {
    if (pairs == null) {
      return;
    }
    for (KeyValuePair pair : pairs) {
      if (!OURS.contains(pair.key)) {
        json.writeFieldName(pair.key);
        value(json, pair.value);
      }
    }
  }

  /** Writes a value. An object is written as its text, because its fields may be secret. */
  private static void value(JsonGenerator json, Object value) throws IOException {
    if (value instanceof Integer || value instanceof Long) {
      json.writeNumber(((Number) value).longValue());
    } else if (value instanceof Boolean flag) {
      json.writeBoolean(flag);
    } else {
      json.writeString(String.valueOf(value));
    }
  }
}
