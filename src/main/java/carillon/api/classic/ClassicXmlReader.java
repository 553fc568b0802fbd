package carillon.api.classic;

import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.CollectionDefinition.State;
import carillon.job.name.JobException;
import carillon.job.name.Quoted;
import carillon.json.CollectionCodec;
import carillon.json.text.Timestamps;
import carillon.store.classic.CloudService;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Reader of the XML documents of the classic dialect. Unknown elements are ignored. Refuses
 * documents that break a rule with INVALID.
 */
final class ClassicXmlReader {
  private static final int MAX_NAME_LENGTH = 100;
  private static final int MAX_DESCRIPTION_LENGTH = 1024;
  private static final int DIGITS = 18;
  private static final String PROVIDER = "scheduler";
  private static final String TYPE = "jobcollections";
  private static final CollectionCodec COLLECTIONS = new CollectionCodec(ClassicEnvelope.DIALECT);

  private ClassicXmlReader() {}

  /** Reads a cloud service. Its ETag is {@code now}. */
  static CloudService cloudService(String subscription, String name, byte[] document, Instant now) {
    XmlElement root = XmlElement.parse(document, "CloudService");
    return new CloudService(
        subscription,
        name,
        root.requiredText("Label", MAX_NAME_LENGTH),
        root.requiredText("Description", MAX_DESCRIPTION_LENGTH),
        Optional.of(root.requiredText("GeoRegion", MAX_NAME_LENGTH)),
        now.toEpochMilli());
  }

  /**
   * Submitted collection.
   *
   * @param definition complete; omitted parts keep their former values
   * @param isUpdate whether it has an ETag element, as updates do
   */
  record Collection(CollectionDefinition definition, boolean isUpdate) {}

  /**
   * Reads a collection.
   *
   * @param before the former definition; parts that the document omits stay
   */
  static Collection collection(CollectionDefinition before, byte[] document) {
    XmlElement root = XmlElement.parse(document, "Resource");
    Map<String, Object> change = new HashMap<>();
    root.child("IntrinsicSettings").ifPresent(settings -> putSettings(change, settings));
    root.text("Label").ifPresent(label -> change.put("label", decoded(label)));
    root.text("State").ifPresent(state -> change.put("state", state(state).name()));
    return new Collection(COLLECTIONS.patch(before, change), root.child("ETag").isPresent());
  }

  private static State state(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "started" -> State.ENABLED;
      case "stopped" -> State.DISABLED;
      case "suspended" -> State.SUSPENDED;
      default -> throw refusal("State", word, "must be one of started, stopped, suspended");
    };
  }

  /** Reads the settings. They replace all former settings. */
  private static void putSettings(Map<String, Object> change, XmlElement settings) {
    put(change, "sku", settings.text("Plan"));
    put(change, "quota", settings.child("Quota").map(ClassicXmlReader::quota));
  }

  private static Map<String, Object> quota(XmlElement xml) {
    Map<String, Object> quota = new HashMap<>();
    put(quota, "maxJobCount", xml.text("MaxJobCount").map(ClassicXmlReader::number));
    put(quota, "maxJobOccurrence", xml.text("MaxJobOccurrence").map(ClassicXmlReader::number));
    put(quota, "maxRecurrence", xml.child("MaxRecurrence").map(ClassicXmlReader::maxRecurrence));
    return quota;
  }

  private static Map<String, Object> maxRecurrence(XmlElement xml) {
    Map<String, Object> recurrence = new HashMap<>();
    put(recurrence, "frequency", xml.text("Frequency"));
    put(recurrence, "interval", xml.text("Interval").map(ClassicXmlReader::number));
    return recurrence;
  }

  /**
   * Puts a value. An absent one becomes a null, which removes the field as in a merge patch (RFC
   * 7386).
   */
  private static void put(Map<String, Object> target, String name, Optional<?> value) {
    target.put(name, value.orElse(null));
  }

  /**
   * Returns a number if the text is one. Other text is returned as is, and the rule of its field
   * refuses it.
   */
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
      throw refusal("Label", label, "must be base64 of a text in UTF-8");
    }
  }

  /** Checks a request for the right to use the provider; nothing of it is stored. */
  static void checkEntitlement(byte[] document) {
    XmlElement root = XmlElement.parse(document, "EntitleResource");
    checkWord("ResourceProviderNameSpace", root, PROVIDER);
    checkWord("Type", root, TYPE);
    String date = root.requiredText("RegistrationDate", MAX_NAME_LENGTH);
    try {
      Timestamps.parse(date);
    } catch (DateTimeException e) {
      throw refusal("RegistrationDate", date, Timestamps.RULE);
    }
  }

  private static void checkWord(String name, XmlElement root, String wanted) {
    String given = root.requiredText(name, MAX_NAME_LENGTH);
    if (!given.equalsIgnoreCase(wanted)) {
      throw refusal(name, given, "must be " + wanted);
    }
  }

  private static JobException refusal(String name, String given, String rule) {
    return JobException.invalid(name + ": '" + Quoted.of(given) + "' " + rule);
  }
}
