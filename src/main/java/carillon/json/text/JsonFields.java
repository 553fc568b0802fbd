package carillon.json.text;

import static java.util.stream.Collectors.joining;

import carillon.job.action.Secret;
import carillon.job.name.JobException;
import carillon.job.name.Quoted;
import carillon.recurrence.JobTimeZone;
import carillon.text.NearestName;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.DoublePredicate;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Typed view of an object in a document, with its place, such as {@code recurrence.schedule}. A
 * value of the wrong type is refused with a message of the form {@code place: value rule}. A null
 * property counts as absent.
 *
 * <p>The first refusal is thrown. A refused document is then read again with {@link Refusals} that
 * collect. In this second reading refused values count as absent, so that the rest is checked too.
 */
public final class JsonFields {
  private static final Pattern NUMBER = Pattern.compile("-?\\d{1,3}");

  /** Maximum length of a name to compare with known names. A longer one is not a typing error. */
  private static final int MAX_MISTYPED = 64;

  private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}&&[^\\n\\r\\t]]");

  private final String place;
  private final Map<String, Object> values;
  private final Refusals refusals;

  private JsonFields(String place, Map<String, Object> values, Refusals refusals) {
    this.place = place;
    this.values = values;
    this.refusals = refusals;
  }

  /** Returns the fields of the document itself, whose properties have no prefix. */
  public static JsonFields root(Map<String, Object> values) {
    return root(values, Refusals.FIRST);
  }

  /** Returns the fields of the document itself, which pass refusals to a collector. */
  public static JsonFields root(Map<String, Object> values, Refusals refusals) {
    return new JsonFields("", values, refusals);
  }

  /**
   * Returns this object as a separate document. The names of its properties omit the enclosing
   * objects, such as ARM's envelope.
   */
  public JsonFields asRoot() {
    return root(values, refusals);
  }

  /** Whether refusals are collected, in the second reading of a refused document. */
  public boolean collects() {
    return refusals.collects();
  }

  /** Throws the refusal, or collects it: the refused value then counts as absent. */
  public void report(JobException refusal) {
    refusals.add(refusal, place);
  }

  /** Whether a part of the property was refused. Dependent values are then not checked. */
  public boolean isRefused(String name) {
    return refusals.collects() && refusals.concern(place(name));
  }

  /** Whether {@link #isRefused} is true of any of these properties. */
  public boolean isAnyRefused(List<String> names) {
    return refusals.collects() && names.stream().anyMatch(this::isRefused);
  }

  /** Throws the collected refusals, if there are any, so that the document is not used. */
  public void throwCollected() {
    refusals.throwAny();
  }

  /** Place of the object; empty for the document. */
  public String place() {
    return place;
  }

  /** Place of the property, as messages show it. */
  public String place(String name) {
    return place.isEmpty() ? name : place + "." + name;
  }

  public boolean has(String name) {
    return values.get(name) != null;
  }

  /** Whether at least one of these properties is present. */
  public boolean hasAny(List<String> names) {
    for (String name : names) {
      if (has(name)) {
        return true;
      }
    }
    return false;
  }

  /** Refuses the first property that is not among these, if the dialect is strict. */
  public void allowOnly(Set<String> known, Dialect dialect) {
    allowOnly(known, Map.of(), dialect);
  }

  /**
   * Refuses the first property that is not among these, if the dialect is strict. Suggests the
   * intended name.
   *
   * @param meant intended names for likely mistakes
   */
  public void allowOnly(Set<String> known, Map<String, String> meant, Dialect dialect) {
    if (!dialect.has(Dialect.Switch.STRICT)) {
      return;
    }
    for (String name : values.keySet()) {
      if (!known.contains(name)) {
        refuseUnknown(name, known, meant);
      }
    }
  }

  /**
   * Refuses the first property of a body, for a route without a body.
   *
   * @param parameters of its query, one of which may be intended
   * @param route as the refusal names it
   */
  public void allowNone(List<String> parameters, String route) {
    Optional<String> first = values.keySet().stream().findFirst();
    String hint =
        first
            .filter(name -> name.length() <= MAX_MISTYPED)
            .flatMap(name -> NearestName.of(name, parameters))
            .map(near -> "did you mean the query parameter '" + near + "'? ")
            .orElse("");
    first.ifPresent(
        name -> {
          String unknown = Quoted.of(name) + ": this property is not known here; ";
          throw JobException.invalid(unknown + hint + route + " takes no body");
        });
  }

  private void refuseUnknown(String name, Set<String> known, Map<String, String> meant) {
    String at = Quoted.of(place(name));
    if (collects() && refusals.concern(at)) {
      return;
    }
    String hint = hint(name, known, meant);
    refusals.add(JobException.invalid(at + ": this property is not known here; " + hint), at);
  }

  /** Suggests the intended property, or lists the known ones. */
  private static String hint(String name, Set<String> known, Map<String, String> meant) {
    if (name.length() > MAX_MISTYPED) {
      return "check its spelling";
    }
    return Optional.ofNullable(meant.get(name))
        .or(() -> PropertyNames.within(known, name))
        .or(() -> NearestName.of(name, known))
        .map(near -> "did you mean '" + near + "'?")
        .orElseGet(() -> "known are " + known.stream().sorted().collect(joining(", ")));
  }

  public boolean isText(String name) {
    return values.get(name) instanceof String;
  }

  public boolean isEmptyArray(String name) {
    return values.get(name) instanceof List<?> list && list.isEmpty();
  }

  public boolean isObject(String name) {
    return values.get(name) instanceof Map;
  }

  /** Returns a text; empty when absent. */
  public Optional<String> text(String name) {
    Object value = values.get(name);
    if (value != null && !(value instanceof String)) {
      report(refusal(name, value, "must be a string"));
      return Optional.empty();
    }
    return Optional.ofNullable((String) value);
  }

  /** Returns a required text. */
  public String requiredText(String name) {
    Optional<String> text = text(name);
    if (text.isEmpty()) {
      report(missing(name));
    }
    return text.orElse("");
  }

  /** Returns a required text of a given form, described by {@code rule}. */
  public String requiredText(String name, Pattern form, String rule) {
    String text = requiredText(name);
    if (!form.matcher(text).matches()) {
      report(refusal(name, rule));
    }
    return text;
  }

  /** Returns a required text of a given form, or of any form if the dialect is not checked. */
  public String requiredText(String name, Pattern form, String rule, Dialect dialect) {
    return dialect.isChecked() ? requiredText(name, form, rule) : requiredText(name);
  }

  /**
   * Returns a secret that is not empty, or {@link Secret#KEPT} if there is none. No message quotes
   * it.
   */
  public Secret secretOrKept(String name) {
    Secret secret = secret(name).orElse(Secret.KEPT);
    if (secret.text().isEmpty()) {
      report(JobException.invalid(place(name) + ": must be a string that is not empty"));
    }
    return secret;
  }

  public Optional<Boolean> truth(String name) {
    Object value = values.get(name);
    if (value != null && !(value instanceof Boolean)) {
      report(refusal(name, value, "must be true or false"));
      return Optional.empty();
    }
    return Optional.ofNullable((Boolean) value);
  }

  /** Returns a secret. No message quotes it. The mask, as in headers, keeps the stored secret. */
  public Optional<Secret> secret(String name) {
    Object value = values.get(name);
    if (value != null && !(value instanceof String)) {
      report(JobException.invalid(place(name) + ": must be a string"));
      return Optional.empty();
    }
    return Optional.ofNullable((String) value)
        .map(text -> text.equals(Secret.MASK) ? Secret.MASKED : new Secret(text));
  }

  /** Returns the secrets of an array, or a lone one; empty when absent. No message quotes them. */
  public List<Secret> secrets(String name) {
    String rule = ": must be a string";
    return texts(name, (place, value) -> JobException.invalid(place + rule)).stream()
        .map(Secret::new)
        .toList();
  }

  /** Returns the texts of an array or a lone text; empty when absent. */
  public List<String> texts(String name) {
    boolean isArray = values.get(name) instanceof List;
    String rule = isArray ? "must be a string" : "must be a string or an array of strings";
    return texts(name, (place, value) -> refuse(place, value, rule));
  }

  private List<String> texts(String name, BiFunction<String, Object, JobException> refusal) {
    List<Object> elements = elements(name);
    List<String> found = new ArrayList<>(elements.size());
    for (int i = 0; i < elements.size(); i++) {
      if (elements.get(i) instanceof String text) {
        found.add(text);
      } else {
        report(refusal.apply(elementPlace(name, i), elements.get(i)));
      }
    }
    return found;
  }

  /**
   * Returns the texts and whole numbers of an array, or a lone one, as texts; empty when absent.
   */
  public List<String> textsOrNumbers(String name) {
    List<Object> elements = elements(name);
    List<String> found = new ArrayList<>(elements.size());
    for (int i = 0; i < elements.size(); i++) {
      Object element = elements.get(i);
      if (element instanceof String || element instanceof Long) {
        found.add(element.toString());
      } else {
        report(refuse(elementPlace(name, i), element, "must be a string or a number"));
      }
    }
    return found;
  }

  /** Returns a whole number within bounds, both inclusive; empty when absent. */
  public OptionalInt integer(String name, int min, int max) {
    Object value = values.get(name);
    if (value == null) {
      return OptionalInt.empty();
    }
    if (value instanceof Long number && number >= min && number <= max) {
      return OptionalInt.of(number.intValue());
    }
    report(refuse(place(name), value, "must be a whole number from " + min + " to " + max));
    return OptionalInt.empty();
  }

  /** Returns a number with or without a fraction. */
  public OptionalDouble decimal(String name, double min, double max) {
    String rule = String.format(Locale.ROOT, "must be a number from %.0f to %.0f", min, max);
    return decimal(name, number -> number >= min && number <= max, rule);
  }

  /** Returns a share of a whole: above 0, at most 1. */
  public OptionalDouble share(String name) {
    String rule = "must be a number above 0, at most 1";
    return decimal(name, number -> number > 0 && number <= 1, rule);
  }

  private OptionalDouble decimal(String name, DoublePredicate isValid, String rule) {
    Object value = values.get(name);
    if (value == null) {
      return OptionalDouble.empty();
    }
    double number = value instanceof Long whole ? whole : StrictJsonParser.RawNumber.valueOf(value);
    if (isValid.test(number)) {
      return OptionalDouble.of(number);
    }
    report(refusal(name, value, rule));
    return OptionalDouble.empty();
  }

  /**
   * Returns the numbers of an array or a lone number; empty when absent. Numbers may be texts, as
   * in exports of Logic Apps.
   */
  public List<Integer> integers(String name, IntPredicate isValid, String range) {
    List<Object> elements = elements(name);
    List<Integer> numbers = new ArrayList<>(elements.size());
    for (int i = 0; i < elements.size(); i++) {
      Object element = elements.get(i);
      if (element instanceof String text && NUMBER.matcher(text).matches()) {
        element = Long.valueOf(text);
      }
      if (element instanceof Long number
          && number == number.intValue()
          && isValid.test(number.intValue())) {
        numbers.add(number.intValue());
      } else {
        String rule = "must be a whole number in " + range;
        report(refuse(elementPlace(name, i), elements.get(i), rule));
      }
    }
    return numbers;
  }

  /** Returns a time as an instant, in UTC if it has no offset; empty when absent. */
  public Optional<Instant> instant(String name) {
    Object value = values.get(name);
    if (value == null) {
      return Optional.empty();
    }
    if (value instanceof String text) {
      try {
        return Optional.of(Timestamps.parse(text));
      } catch (DateTimeException e) {
        // refused below, like a value of another type
      }
    }
    report(refusal(name, value, Timestamps.RULE));
    return Optional.empty();
  }

  /**
   * Returns an instant of the stored form: epoch ms, or a text for a finer time; empty when absent.
   */
  public Optional<Instant> storedInstant(String name) {
    return values.get(name) instanceof Long millis
        ? Optional.of(inRange(name, Instant.ofEpochMilli(millis)))
        : instant(name);
  }

  /** Returns a time without offset; empty if it is absent or has an offset. */
  public Optional<LocalDateTime> local(String name) {
    return instant(name).isPresent()
        ? Timestamps.local((String) values.get(name))
        : Optional.empty();
  }

  /** Returns the start time. Without an offset it is local in the time zone. */
  public Optional<Instant> start(Optional<JobTimeZone> zone) {
    return zone.flatMap(z -> z.clock().start().map(z.clock()::startsAt))
        .map(instant -> inRange("startTime", instant))
        .or(() -> instant("startTime"));
  }

  /** Returns the end time. Without an offset it is local in the time zone. */
  public Optional<Instant> end(Optional<JobTimeZone> zone) {
    return zone.flatMap(z -> z.clock().end().map(z.clock()::endsAt))
        .map(instant -> inRange("endTime", instant))
        .or(() -> instant("endTime"));
  }

  private Instant inRange(String name, Instant instant) {
    if (!Timestamps.isInRange(instant)) {
      report(refusal(name, Timestamps.RULE));
    }
    return instant;
  }

  /** Returns a duration; empty when absent. */
  public Optional<Duration> duration(String name) {
    Object value = values.get(name);
    if (value == null) {
      return Optional.empty();
    }
    Optional<Duration> span =
        value instanceof String text ? DurationFormats.parse(text) : Optional.empty();
    if (span.isEmpty()) {
      report(refusal(name, value, DurationFormats.RULE));
    }
    return span;
  }

  /** Returns the value of a word from a list, in any case. */
  public <T> Optional<T> word(String name, EnumNames<T> words) {
    Object value = values.get(name);
    if (value == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(words.read(place(name), value));
    } catch (JobException e) {
      report(e);
      return Optional.empty();
    }
  }

  public <T> T requiredWord(String name, EnumNames<T> words) {
    return word(name, words).orElseThrow(() -> missing(name));
  }

  /**
   * Returns the value of a required word. Its refusal does not end the reading.
   *
   * @param standIn result if the word is refused
   */
  public <T> T requiredWord(String name, EnumNames<T> words, T standIn) {
    Optional<T> word = word(name, words);
    if (word.isEmpty()) {
      report(missing(name));
    }
    return word.orElse(standIn);
  }

  /** Returns the values of the words of an array, or a lone word; empty when absent. */
  public <T> List<T> words(String name, EnumNames<T> words) {
    List<Object> elements = elements(name);
    List<T> found = new ArrayList<>(elements.size());
    for (int i = 0; i < elements.size(); i++) {
      try {
        found.add(words.read(elementPlace(name, i), elements.get(i)));
      } catch (JobException e) {
        report(e);
      }
    }
    return found;
  }

  /** Returns the properties of an object; empty when absent. */
  public Optional<JsonFields> object(String name) {
    Object value = values.get(name);
    return value == null ? Optional.empty() : object(place(name), value);
  }

  /**
   * Returns the result of the reader for an object; empty when absent. If refusals are collected, a
   * thrown one ends the object and not the document.
   */
  public <T> Optional<T> object(String name, Function<JsonFields, T> reader) {
    return object(object(name), reader);
  }

  /**
   * Returns the result of the reader for an object that was looked up; empty when absent or
   * refused.
   */
  public <T> Optional<T> object(Optional<JsonFields> fields, Function<JsonFields, T> reader) {
    try {
      return fields.map(reader);
    } catch (JobException e) {
      refusals.add(e, fields.orElse(this).place);
      return Optional.empty();
    }
  }

  public JsonFields requiredObject(String name) {
    Optional<JsonFields> object = object(name);
    if (object.isEmpty()) {
      report(missing(name));
      return new JsonFields(place(name), Map.of(), refusals);
    }
    return object.get();
  }

  /** Returns the objects of an array or a lone object; empty when absent. */
  List<JsonFields> objects(String name) {
    List<Object> elements = elements(name);
    Object value = values.get(name);
    if (value != null && !(value instanceof List) && !(value instanceof Map)) {
      report(refusal(name, value, "must be an array of objects"));
      return List.of();
    }
    List<JsonFields> found = new ArrayList<>(elements.size());
    for (int i = 0; i < elements.size(); i++) {
      object(elementPlace(name, i), elements.get(i)).ifPresent(found::add);
    }
    return found;
  }

  /** Returns the result of the reader for each object, as in {@link #object(String, Function)}. */
  public <T> List<T> objects(String name, Function<JsonFields, T> reader) {
    List<JsonFields> objects = objects(name);
    List<T> found = new ArrayList<>(objects.size());
    for (JsonFields object : objects) {
      try {
        found.add(reader.apply(object));
      } catch (JobException e) {
        refusals.add(e, object.place);
      }
    }
    return found;
  }

  @SuppressWarnings("unchecked") // StrictJsonParser makes no other maps
  private Optional<JsonFields> object(String place, Object value) {
    if (!(value instanceof Map)) {
      report(refuse(place, value, "must be an object"));
      return Optional.empty();
    }
    return Optional.of(new JsonFields(place, (Map<String, Object>) value, refusals));
  }

  /** Returns all properties, which must be strings. */
  public Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    for (String name : values.keySet()) {
      text(name).ifPresent(value -> texts.put(name, value));
    }
    return texts;
  }

  /** Whether all properties are null or absent. */
  public boolean isEmpty() {
    return values.values().stream().allMatch(Objects::isNull);
  }

  private List<Object> elements(String name) {
    Object value = values.get(name);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof List<?> list)) {
      return List.of(value);
    }
    if (list.isEmpty()) {
      report(JobException.invalid(place(name) + ": must not be empty; leave it out instead"));
    }
    return new ArrayList<>(list);
  }

  private String elementPlace(String name, int index) {
    return values.get(name) instanceof List ? place(name) + "[" + index + "]" : place(name);
  }

  /** Refuses a text for people with control characters other than line breaks and tabs. */
  public void checkControls(String name, String text) {
    if (CONTROL.matcher(text).find()) {
      report(refusal(name, "must have no control characters but line breaks and tabs"));
    }
  }

  /** Refuses a text of the property that is longer than the deployment allows. */
  public void checkLength(String name, String text, int max) {
    checkSize(name, text.length(), "characters", max);
  }

  /** Refuses a text of the property with more code points. */
  public void checkCharacters(String name, String text, int max) {
    checkSize(name, text.codePointCount(0, text.length()), "characters", max);
  }

  /** Refuses a text of the property that is longer as UTF-8 than the deployment allows. */
  public void checkBytes(String name, String text, int max) {
    checkSize(name, text.getBytes(StandardCharsets.UTF_8).length, "bytes", max);
  }

  private void checkSize(String name, int size, String unit, int max) {
    if (size > max) {
      report(
          JobException.invalid(
              place(name) + ": " + size + " " + unit + " are more than the " + max + " allowed"));
    }
  }

  /**
   * Refuses a text of these properties with the same meaning as an earlier one.
   *
   * @param meaning meaning of a text
   */
  public void refuseRepeats(UnaryOperator<String> meaning, String... names) {
    Map<String, String> places = new HashMap<>();
    for (String name : names) {
      List<String> texts = texts(name);
      for (int i = 0; i < texts.size(); i++) {
        String place = elementPlace(name, i);
        String before = places.putIfAbsent(meaning.apply(texts.get(i)), place);
        if (before != null) {
          report(refuse(place, texts.get(i), "must be named once; " + before + " names it, too"));
        }
      }
    }
  }

  /** Refuses a name that differs from the address, because it would be ignored silently. */
  public void checkName(String own) {
    if (text("name").filter(given -> !given.equalsIgnoreCase(own)).isPresent()) {
      report(refusal("name", "must be '" + own + "', as in the address"));
    }
  }

  /** Returns a refusal for a missing property. */
  public JobException missing(String name) {
    return JobException.invalid(place(name) + ": is missing");
  }

  /** Returns a refusal of the property that quotes its value. */
  public JobException refusal(String name, String rule) {
    return refusal(name, values.get(name), rule);
  }

  private JobException refusal(String name, Object value, String rule) {
    return refuse(Quoted.of(place(name)), value, rule);
  }

  /** Returns a refusal of the form {@code place: value rule}, with texts in single quotes. */
  public static JobException refuse(String place, Object value, String rule) {
    return JobException.invalid(place + ": " + quoted(value) + " " + rule);
  }

  private static String quoted(Object value) {
    if (value instanceof String text) {
      return "'" + Quoted.of(text) + "'";
    }
    if (value instanceof Map) {
      return "an object";
    }
    return value instanceof List ? "an array" : Quoted.of(String.valueOf(value));
  }
}
