package carillon.json.view;

import carillon.access.ApiKey;
import carillon.access.ApiKeyToken;
import carillon.access.Grant;
import carillon.job.name.JobException;
import carillon.job.name.Quoted;
import carillon.json.text.Dialect;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.json.text.StrictJsonParser;
import carillon.json.text.Timestamps;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Codec of API keys: orders from clients, the stored form, and answers. */
public final class ApiKeyCodec {
  private static final Set<String> KNOWN = Set.of("client", "grants", "expires");
  private static final Pattern CLIENT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}");
  private static final String CLIENT_RULE =
      "must begin with a letter or digit and hold only letters, digits, '_', '.', '@' and '-',"
          + " 64 at most";
  private static final int MAX_GRANTS = 100;
  private static final Duration MAX_LIFETIME = Duration.ofDays(3660);

  private ApiKeyCodec() {}

  /** Reads the order of a key: client, grants and an optional end. */
  public static ApiKey read(byte[] json, ApiKeyToken text, Instant now, String by) {
    JsonFields fields = JsonFields.root(StrictJsonParser.parse(json, "Malformed key"));
    fields.allowOnly(KNOWN, Dialect.NATIVE);
    Optional<Instant> expires = fields.instant("expires");
    if (expires
        .filter(end -> !end.isAfter(now) || end.isAfter(now.plus(MAX_LIFETIME)))
        .isPresent()) {
      throw fields.refusal(
          "expires", "must be in the future, by no more than " + MAX_LIFETIME.toDays() + " days");
    }
    return new ApiKey(
        text.id(),
        fields.requiredText("client", CLIENT, CLIENT_RULE),
        text.hash(),
        grants(fields),
        now,
        expires,
        by);
  }

  private static List<Grant> grants(JsonFields fields) {
    List<String> texts = fields.texts("grants");
    if (texts.isEmpty()) {
      throw fields.missing("grants");
    }
    if (texts.size() > MAX_GRANTS) {
      throw JobException.invalid(
          "grants: " + texts.size() + " are more than the " + MAX_GRANTS + " allowed");
    }
    List<Grant> grants = new ArrayList<>(texts.size());
    for (String text : texts) {
      try {
        grants.add(Grant.parse(text));
      } catch (IllegalArgumentException e) {
        throw JobException.invalid(
            "grants: '" + Quoted.of(text) + "' must be role:scope; " + e.getMessage());
      }
    }
    return grants;
  }

  /** Writes the stored form. */
  public static String write(ApiKey key) {
    return JsonOut.text(
        json -> {
          json.writeStartObject();
          writeFacts(json, key);
          json.writeStringField("hash", key.hash());
          json.writeEndObject();
        });
  }

  /** Reads the stored form. */
  public static ApiKey read(String stored) {
    Map<String, Object> tree = StrictJsonParser.parseStored(stored);
    JsonFields fields = JsonFields.root(tree);
    try {
      return new ApiKey(
          fields.requiredText("id"),
          fields.requiredText("client"),
          fields.requiredText("hash"),
          fields.texts("grants").stream().map(Grant::parse).toList(),
          fields.instant("created").orElseThrow(),
          fields.instant("expires"),
          fields.requiredText("by"));
    } catch (JobException e) {
      throw new IllegalStateException("unreadable stored key", e);
    }
  }

  /**
   * Key in an answer.
   *
   * @param used approximate time of its last use, if any
   */
  public record Shown(ApiKey key, Optional<Instant> used) {}

  /** Writes a key without its secret. */
  public static byte[] answer(Shown shown) {
    return JsonOut.of(json -> write(json, shown, Optional.empty(), List.of()));
  }

  /**
   * Writes a new key. No other answer ever shows the whole key.
   *
   * @param warnings about the order; omitted if there are none
   */
  public static byte[] answer(ApiKey key, ApiKeyToken text, List<String> warnings) {
    return JsonOut.of(
        json ->
            write(json, new Shown(key, Optional.empty()), Optional.of(text.reveal()), warnings));
  }

  /** Writes a page of keys. */
  public static byte[] page(List<Shown> keys, Optional<String> nextLink) {
    return JsonOut.of(
        json ->
            JsonOut.writePage(
                json, keys, (out, key) -> write(out, key, Optional.empty(), List.of()), nextLink));
  }

  private static void write(
      JsonGenerator json, Shown shown, Optional<String> secret, List<String> warnings)
      throws IOException {
    json.writeStartObject();
    writeFacts(json, shown.key);
    if (shown.used.isPresent()) {
      json.writeStringField("lastUsed", Timestamps.format(shown.used.get()));
    }
    if (secret.isPresent()) {
      json.writeStringField("key", secret.get());
    }
    if (!warnings.isEmpty()) {
      JsonOut.writeTexts(json, "warnings", warnings);
    }
    json.writeEndObject();
  }

  private static void writeFacts(JsonGenerator json, ApiKey key) throws IOException {
    json.writeStringField("id", key.id());
    json.writeStringField("client", key.client());
    JsonOut.writeTexts(json, "grants", key.grants().stream().map(grant -> grant.text()).toList());
    json.writeStringField("created", Timestamps.format(key.created()));
    if (key.expires().isPresent()) {
      json.writeStringField("expires", Timestamps.format(key.expires().get()));
    }
    json.writeStringField("by", key.by());
  }
}
