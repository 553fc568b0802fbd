package carillon.json.text;

import carillon.job.StoredJob.DamagedJob;
import carillon.job.action.Secret;
import carillon.job.collection.JobCollection.DamagedCollection;
import carillon.job.name.JobName;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Writer of compact JSON into memory. */
public final class JsonOut {
  private JsonOut() {}

  /** Content of a document. */
  public interface Content {
    /** Writes a single value. */
    void writeTo(JsonGenerator json) throws IOException;
  }

  /** Writes the content in UTF-8. */
  public static byte[] of(Content content) {
    return of(Dialect.NATIVE, content);
  }

  /** Writes the content in UTF-8, with the escapes of the dialect. */
  public static byte[] of(Dialect dialect, Content content) {
    ExactBytes out = new ExactBytes();
    try (JsonGenerator json = StrictJsonParser.FACTORY.createGenerator(out)) {
      if (dialect.has(Dialect.Switch.ESCAPED_SLASHES)) {
        json.setCharacterEscapes(EscapedSlashes.INSTANCE);
      }
      content.writeTo(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.bytes();
  }

  /** Formats a document for people, with indented lines. */
  public static byte[] indented(byte[] compact) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(2 * compact.length);
    try (JsonParser from = StrictJsonParser.FACTORY.createParser(compact);
        JsonGenerator to = StrictJsonParser.FACTORY.createGenerator(out)) {
      to.useDefaultPrettyPrinter();
      from.nextToken();
      to.copyCurrentStructure(from);
      to.writeRaw('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** Buffer that keeps a single piece without a copy, as for documents of up to 8,000 bytes. */
  private static final class ExactBytes extends ByteArrayOutputStream {
    ExactBytes() {
      super(0); // the first write allocates exactly its size
    }

    byte[] bytes() {
      return buf.length == count ? buf : toByteArray();
    }
  }

  /** Writes an object in UTF-8, with the fields of the content. */
  public static byte[] object(Content fields) {
    return of(
        json -> {
          json.writeStartObject();
          fields.writeTo(json);
          json.writeEndObject();
        });
  }

  /** Writes the content as a text. */
  public static String text(Content content) {
    return new String(of(content), StandardCharsets.UTF_8);
  }

  /** Writes an instant, if there is one. */
  public static void writeInstant(JsonGenerator json, String name, Optional<Instant> instant)
      throws IOException {
    if (instant.isPresent()) {
      json.writeStringField(name, Timestamps.format(instant.get()));
    }
  }

  /** Writes a duration in the form of the dialect. */
  public static void writeDuration(
      JsonGenerator json, String name, Duration duration, Dialect dialect) throws IOException {
    json.writeStringField(
        name,
        dialect.has(Dialect.Switch.TIME_SPANS)
            ? DurationFormats.timeSpan(duration)
            : duration.toString());
  }

  /** Writes a secret, but only in the stored form. Never writes {@link Secret#KEPT}. */
  public static void writeSecret(JsonGenerator json, String name, Secret secret, Dialect dialect)
      throws IOException {
    if (dialect.isStored() && !secret.isKept()) {
      json.writeStringField(name, secret.text());
    }
  }

  /** Writes an array of texts. */
  public static void writeTexts(JsonGenerator json, String name, List<String> texts)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }

  /** Writes an object of texts. */
  public static void writeTexts(JsonGenerator json, String name, Map<String, String> texts)
      throws IOException {
    json.writeObjectFieldStart(name);
    for (Map.Entry<String, String> text : texts.entrySet()) {
      json.writeStringField(text.getKey(), text.getValue());
    }
    json.writeEndObject();
  }

  /** Writer of an item. */
  public interface ItemWriter<T> {
    void write(JsonGenerator json, T item) throws IOException;
  }

  /**
   * Writes {@code {"value":[...],"nextLink":...}}. The service wrote an explicit null on the last
   * page.
   */
  public static <T> void writePage(
      JsonGenerator json, List<T> items, ItemWriter<T> writer, Optional<String> nextLink)
      throws IOException {
    writePage(json, items, writer, nextLink, List.of());
  }

  /**
   * Damaged entry that a list leaves out.
   *
   * @param name in the form that the list uses
   */
  public record LeftOut(String name, String reason) {
    public static List<LeftOut> jobs(List<DamagedJob> damaged, Function<JobName, String> naming) {
      return damaged.stream()
          .map(job -> new LeftOut(naming.apply(job.name()), job.reason()))
          .toList();
    }

    public static List<LeftOut> collections(List<DamagedCollection> damaged) {
      return damaged.stream()
          .map(one -> new LeftOut(one.name().collection(), one.reason()))
          .toList();
    }
  }

  /** Writes a page, followed by the damaged entries that it leaves out. */
  public static <T> void writePage(
      JsonGenerator json,
      List<T> items,
      ItemWriter<T> writer,
      Optional<String> nextLink,
      List<LeftOut> damaged)
      throws IOException {
    json.writeStartObject();
    json.writeFieldName("value");
    writeItems(json, items, writer);
    json.writeStringField("nextLink", nextLink.orElse(null));
    writeLeftOut(json, damaged);
    json.writeEndObject();
  }

  /** Writes the damaged jobs that a list leaves out, and why. Writes nothing if there are none. */
  public static void writeDamaged(JsonGenerator json, List<DamagedJob> damaged) throws IOException {
    writeDamaged(json, damaged, JobName::job);
  }

  /**
   * Writes the damaged jobs that a list of several collections leaves out.
   *
   * @param naming returns the name to show for a job
   */
  public static void writeDamaged(
      JsonGenerator json, List<DamagedJob> damaged, Function<JobName, String> naming)
      throws IOException {
    writeLeftOut(json, LeftOut.jobs(damaged, naming));
  }

  private static void writeLeftOut(JsonGenerator json, List<LeftOut> damaged) throws IOException {
    if (damaged.isEmpty()) {
      return;
    }
    json.writeArrayFieldStart("damaged");
    for (LeftOut one : damaged) {
      json.writeStartObject();
      json.writeStringField("name", one.name);
      json.writeStringField("reason", one.reason);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** Writes the items as an array. */
  public static <T> void writeItems(JsonGenerator json, List<T> items, ItemWriter<T> writer)
      throws IOException {
    json.writeStartArray();
    for (T item : items) {
      writer.write(json, item);
    }
    json.writeEndArray();
  }

  /** Escapes of .NET's DataContract serializer: {@code \/} for a slash. */
  private static final class EscapedSlashes extends CharacterEscapes {
    private static final EscapedSlashes INSTANCE = new EscapedSlashes();
    private static final long serialVersionUID = 1L;

    private final int[] escapes = CharacterEscapes.standardAsciiEscapesForJSON();

    private EscapedSlashes() {
      escapes['/'] = '/';
    }

    @Override
    public int[] getEscapeCodesForAscii() {
      return escapes.clone();
    }

    @Override
    public SerializableString getEscapeSequence(int character) {
      return null;
    }
  }
}
