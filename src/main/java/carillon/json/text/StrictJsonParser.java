package carillon.json.text;

import carillon.job.name.JobException;
import carillon.job.name.Quoted;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Strict parser of a JSON document into plain values: {@code Map}, {@code List}, {@code String},
 * {@code Boolean}, {@code Long}, {@link RawNumber}, and null for null. Property names are converted
 * to the model's spelling, except inside bodies, headers and tags.
 *
 * <p>Refuses duplicate names (in any case), comments, NaN, nesting deeper than {@value #MAX_DEPTH},
 * lone surrogates, and anything after the document.
 */
public final class StrictJsonParser {
  private static final int MAX_DEPTH = 32;
  private static final int MAX_EXACT_DIGITS = 18;

  /** Client-chosen names are not interned; UTF-8 is the only encoding. */
  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.CHARSET_DETECTION)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private final JsonParser parser;
  private final String prefix;

  private StrictJsonParser(JsonParser parser, String prefix) {
    this.parser = parser;
    this.prefix = prefix;
  }

  /**
   * Reads a client's document.
   *
   * @param prefix of the message of a refusal, such as {@code Malformed Job Object}
   */
  public static Map<String, Object> parse(byte[] json, String prefix) {
    try (JsonParser parser = FACTORY.createParser(json)) {
      return new StrictJsonParser(parser, prefix).document();
    } catch (JsonProcessingException e) {
      throw malformed(prefix, e);
    } catch (IOException e) {
      throw malformed(prefix, "it is not UTF-8");
    }
  }

  /** Reads a document that Carillon wrote. */
  public static Map<String, Object> parseStored(String json) {
    try (JsonParser parser = FACTORY.createParser(json)) {
      return new StrictJsonParser(parser, "Malformed stored form").document();
    } catch (IOException e) {
      throw new IllegalStateException("unreadable stored form", e);
    }
  }

  /** Returns the object that is the value of a property. Empty for other values. */
  @SuppressWarnings("unchecked") // this parser makes no other maps
  public static Optional<Map<String, Object>> objectIn(Map<String, Object> document, String name) {
    return document.get(name) instanceof Map<?, ?> object
        ? Optional.of((Map<String, Object>) object)
        : Optional.empty();
  }

  private Map<String, Object> document() throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw malformed(prefix, parser.hasCurrentToken() ? "it is not a JSON object" : "it is empty");
    }
    Map<String, Object> document = object(1, false);
    if (parser.nextToken() != null) {
      throw malformed(prefix, "something follows the document" + position());
    }
    return document;
  }

  private Map<String, Object> object(int depth, boolean free) throws IOException {
    Map<String, Object> members = new LinkedHashMap<>();
    for (String given = parser.nextFieldName(); given != null; given = parser.nextFieldName()) {
      String name = free ? whole(given) : PropertyNames.canonical(whole(given));
      if (members.containsKey(name)) {
        throw malformed(prefix, "'" + Quoted.of(given) + "' is given twice" + position());
      }
      members.put(name, value(parser.nextToken(), depth, free || PropertyNames.isFree(name)));
    }
    return members;
  }

  private List<Object> array(int depth, boolean free) throws IOException {
    List<Object> elements = new ArrayList<>();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      elements.add(value(token, depth, free));
    }
    return elements;
  }

  private Object value(JsonToken token, int depth, boolean free) throws IOException {
    return switch (token) {
      case VALUE_STRING -> whole(parser.getText());
      case VALUE_NUMBER_INT -> number();
      case VALUE_NUMBER_FLOAT -> new RawNumber(parser.getText());
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case START_OBJECT -> object(deeper(depth), free);
      case START_ARRAY -> array(deeper(depth), free);
      default -> null;
    };
  }

  private Object number() throws IOException {
    return parser.getTextLength() <= MAX_EXACT_DIGITS
        ? (Object) parser.getLongValue()
        : new RawNumber(parser.getText());
  }

  private int deeper(int depth) {
    if (depth == MAX_DEPTH) {
      throw malformed(prefix, "it is nested deeper than " + MAX_DEPTH + " levels" + position());
    }
    return depth + 1;
  }

  /** Returns the text itself. Refuses half of a surrogate pair, which UTF-8 cannot encode. */
  private String whole(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (Character.charCount(text.codePointAt(i)) == 1) {
          throw malformed(prefix, "half of a surrogate pair in a text" + position());
        }
        i++;
      }
    }
    return text;
  }

  private String position() {
    return " at line "
        + line(parser.currentTokenLocation().getLineNr())
        + ", column "
        + parser.currentTokenLocation().getColumnNr();
  }

  private static int line(int number) {
    return Math.max(1, number);
  }

  private static JobException malformed(String prefix, JsonProcessingException e) {
    if (e instanceof StreamConstraintsException) { // has no position
      return malformed(prefix, "it has a name that is too long");
    }
    String what = e instanceof JsonEOFException ? "it ends too early" : "it is not JSON";
    return malformed(
        prefix,
        what
            + " at line "
            + line(e.getLocation().getLineNr())
            + ", column "
            + e.getLocation().getColumnNr());
  }

  private static JobException malformed(String prefix, String reason) {
    return JobException.invalid(prefix + ": " + reason);
  }

  /**
   * Number of a document other than a whole number of at most 18 digits. It stays text, because
   * converting {@code 1e1000000000} to a decimal would exhaust the memory.
   */
  record RawNumber(String text) {
    /**
     * Returns the nearest double to a value of a document. Returns NaN, which is in no range, for
     * other values than numbers.
     */
    static double valueOf(Object value) {
      return value instanceof RawNumber number ? Double.parseDouble(number.text) : Double.NaN;
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
