package carillon.json;

import carillon.job.CloudService;
import carillon.job.CollectionDefinition;
import carillon.job.CollectionDefinition.State;
import carillon.job.JobException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads what clients of the classic dialect send in XML. Elements that are not known are ignored.
 * Refuses with INVALID whatever breaks a rule.
 */
public final class ClassicReader {
  private static final int LONGEST_NAME = 100;
  private static final int LONGEST_DESCRIPTION = 1024;
  private static final int DIGITS = 18;
  private static final String PROVIDER = "scheduler";
  private static final String TYPE = "jobcollections";
  private static final CollectionCodec COLLECTIONS = new CollectionCodec(Dialect.CLASSIC);
  private static final EnumNames<State> STATES =
      EnumNames.of(
          Stream.of(State.values()),
          state ->
              switch (state) {
                case ENABLED -> "Started";
                case DISABLED -> "Stopped";
                case SUSPENDED -> "Suspended";
              });

  private ClassicReader() {}

  /** Reads a cloud service. Its ETag is {@code now}. */
  public static CloudService cloudService(
      String subscription, String name, byte[] document, Instant now) {
    XmlElement root = XmlParser.parse(document, "CloudService");
    return new CloudService(
        subscription,
        name,
        root.requiredText("Label", LONGEST_NAME),
        root.requiredText("Description", LONGEST_DESCRIPTION),
        Optional.of(root.requiredText("GeoRegion", LONGEST_NAME)),
        now.toEpochMilli());
  }

  /**
   * A collection as a client wants it.
   *
   * @param definition with everything that it did not mention as it was before
   * @param isUpdate whether it shows an ETag element, as updates do
   */
  public record Collection(CollectionDefinition definition, boolean isUpdate) {}

  /**
   * Reads a collection.
   *
   * @param before what is to be changed: what the document does not mention stays
   */
  public static Collection collection(CollectionDefinition before, byte[] document) {
    XmlElement root = XmlParser.parse(document, "Resource");
    Map<String, Object> flat = StoredJson.tree(before);
    root.child("IntrinsicSettings").ifPresent(settings -> putSettings(flat, settings));
    root.text("Label").ifPresent(label -> flat.put("label", decoded(label)));
    root.text("State").ifPresent(state -> flat.put("state", STATES.read("State", state).word()));
    return new Collection(COLLECTIONS.read(JsonFields.root(flat)), root.child("ETag").isPresent());
  }

  private static void putSettings(Map<String, Object> flat, XmlElement settings) {
    put(flat, "sku", settings.text("Plan"));
    put(flat, "quota", settings.child("Quota").map(ClassicReader::quota));
  }

  private static Map<String, Object> quota(XmlElement xml) {
    Map<String, Object> quota = new LinkedHashMap<>();
    put(quota, "maxJobCount", xml.text("MaxJobCount").map(ClassicReader::number));
    put(quota, "maxJobOccurrence", xml.text("MaxJobOccurrence").map(ClassicReader::number));
    put(quota, "maxRecurrence", xml.child("MaxRecurrence").map(ClassicReader::maxRecurrence));
    return quota;
  }

  private static Map<String, Object> maxRecurrence(XmlElement xml) {
    Map<String, Object> recurrence = new LinkedHashMap<>();
    put(recurrence, "frequency", xml.text("Frequency"));
    put(recurrence, "interval", xml.text("Interval").map(ClassicReader::number));
    return recurrence;
  }

  private static void put(Map<String, Object> target, String name, Optional<?> value) {
    value.ifPresentOrElse(present -> target.put(name, present), () -> target.remove(name));
  }

  /** A number where the text is one; what is none is left to be refused by its field's own rule. */
  private static Object number(String text) {
    return text.length() <= DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9')
        ? (Object) Long.parseLong(text)
        : text;
  }

  private static String decoded(String label) {
    try {
      byte[] bytes = Base64.getDecoder().decode(label);
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (IllegalArgumentException | CharacterCodingException e) {
      throw JobException.invalid("Label: must be base64 of a text in UTF-8");
    }
  }

  /** Reads a request for the right to use the provider, and finds nothing to keep. */
  public static void checkEntitlement(byte[] document) {
    XmlElement root = XmlParser.parse(document, "EntitleResource");
    checkWord("ResourceProviderNameSpace", root, PROVIDER);
    checkWord("Type", root, TYPE);
    String date = root.requiredText("RegistrationDate", LONGEST_NAME);
    try {
      Timestamps.parse(date);
    } catch (DateTimeException e) {
      throw JsonFields.refuse("RegistrationDate", date, Timestamps.RULE);
    }
  }

  private static void checkWord(String name, XmlElement root, String wanted) {
    String given = root.requiredText(name, LONGEST_NAME);
    if (!given.equalsIgnoreCase(wanted)) {
      throw JsonFields.refuse(name, given, "must be " + wanted);
    }
  }
}
