package carillon.json;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Writes compact JSON into memory. */
public final class JsonOut {
  private static final int USUAL_SIZE = 512;

  private JsonOut() {}

  /** What is to be written. */
  public interface Content {
    /** Writes one value. */
    void writeTo(JsonGenerator json) throws IOException;
  }

  /** The content in UTF-8. */
  public static byte[] of(Content content) {
    return of(Dialect.NATIVE, content);
  }

  /** The content in UTF-8, escaped as the dialect has it. */
  static byte[] of(Dialect dialect, Content content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(USUAL_SIZE);
    try (JsonGenerator json = StrictJsonParser.FACTORY.createGenerator(out)) {
      if (dialect == Dialect.CLASSIC) {
        json.setCharacterEscapes(EscapedSlashes.INSTANCE);
      }
      content.writeTo(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  static String text(Content content) {
    return new String(of(content), StandardCharsets.UTF_8);
  }
}
