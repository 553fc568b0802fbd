package carillon.dispatch.servicebus;

import carillon.job.action.ServiceBusCall;
import carillon.job.action.ServiceBusCall.BrokeredProperties;
import carillon.job.action.ServiceBusCall.BrokeredProperties.TextProperty;
import io.vertx.core.json.JsonObject;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Message in the REST form of Service Bus. The text is the body, the brokered properties are JSON
 * in one header, and each custom property has a separate header.
 */
public final class RestMessage {
  /**
   * Format of RFC 1123 with two digits of the day, which {@link DateTimeFormatter} does not
   * enforce.
   */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private RestMessage() {}

  /**
   * The headers of a call's message, without its authorization.
   *
   * @param id for a call that gives no message id
   */
  public static Map<String, String> headers(ServiceBusCall call, String id) {
    Map<String, String> headers = new LinkedHashMap<>();
    call.custom().forEach((name, value) -> headers.put(name, quoted(value)));
    headers.put(
        "Content-Type",
        call.brokered().text(TextProperty.CONTENT_TYPE).orElse("text/plain;charset=utf-8"));
    headers.put("BrokerProperties", ascii(brokerProperties(call.brokered(), id).encode()));
    return headers;
  }

  private static JsonObject brokerProperties(BrokeredProperties brokered, String id) {
    JsonObject properties = new JsonObject().put("MessageId", id);
    brokered
        .texts()
        .forEach(
            (text, value) -> {
              if (text != TextProperty.CONTENT_TYPE) {
                String name = text.property();
                properties.put(Character.toUpperCase(name.charAt(0)) + name.substring(1), value);
              }
            });
    brokered.forcePersistence().ifPresent(force -> properties.put("ForcePersistence", force));
    brokered
        .scheduledEnqueueTimeUtc()
        .ifPresent(time -> properties.put("ScheduledEnqueueTimeUtc", TIME.format(time)));
    brokered.timeToLive().ifPresent(span -> properties.put("TimeToLive", span.toMillis() / 1000.0));
    return properties;
  }

  /** Returns a string in quotation marks, so that it is not taken for a number or a date. */
  private static String quoted(String text) {
    String json = new JsonObject().put("v", text).encode();
    return ascii(json.substring(json.indexOf(':') + 1, json.length() - 1));
  }

  /** Escapes the characters that a header cannot hold, as JSON does. */
  private static String ascii(String json) {
    StringBuilder out = new StringBuilder(json.length());
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (c < 0x7F) {
        out.append(c);
      } else {
        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      }
    }
    return out.toString();
  }
}
