package carillon.json.view;

import carillon.flow.Flow;
import carillon.flow.Flow.FlowPause;
import carillon.flow.FlowDefinition;
import carillon.flow.FlowDefinition.Breaker;
import carillon.flow.FlowDefinition.Rate;
import carillon.flow.FlowName;
import carillon.flow.FlowState;
import carillon.flow.FlowState.LaneState;
import carillon.flow.HostPattern;
import carillon.job.Pause.PauseOptions;
import carillon.job.name.CollectionPattern;
import carillon.job.name.JobException;
import carillon.job.name.NameRules;
import carillon.job.name.Quoted;
import carillon.json.PauseCodec;
import carillon.json.StoredJson;
import carillon.json.text.Dialect;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.json.text.Refusals;
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
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;

/** Codec of flows, for submissions, the stored form and answers. */
public final class FlowCodec {
  private static final String MALFORMED = "Malformed flow";

  /**
   * Properties of a flow. Requests may repeat those that answers add to the definition, without
   * effect.
   */
  private static final String BREAKER = "breaker";

  private static final String COLLECTIONS = "collections";

  private static final Set<String> KNOWN =
      Set.of(
          "name",
          "match",
          COLLECTIONS,
          "rate",
          "parallelism",
          BREAKER,
          "retryAfter",
          "pause",
          "state");

  private static final Set<String> KNOWN_OF_RATE = Set.of("limit", "per", "burst");
  private static final Set<String> KNOWN_OF_BREAKER =
      Set.of("consecutive", "ratio", "calls", "window", "pause", "maxPause", "probes");
  private static final int MAX_PATTERNS = 32;
  private static final int MAX_COLLECTIONS = 100;
  private static final int MAX_LIMIT = 1_000_000;
  private static final int MAX_PARALLELISM = 100_000;
  private static final int MAX_CALLS = 1_000_000;
  private static final int MAX_PROBES = 100;
  private static final int DEFAULT_CONSECUTIVE = 10;
  private static final int DEFAULT_CALLS = 20;
  private static final Duration DEFAULT_WINDOW = Duration.ofSeconds(30);
  private static final Duration DEFAULT_PAUSE = Duration.ofSeconds(30);
  private static final Duration DEFAULT_MAX_PAUSE = Duration.ofMinutes(10);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration WEEK = Duration.ofDays(7);

  private FlowCodec() {}

  /** Reads a definition as a client submits it for the flow of this name. */
  public static FlowDefinition read(byte[] json, FlowName name) {
    Map<String, Object> document = StrictJsonParser.parse(json, MALFORMED);
    try {
      return read(JsonFields.root(document), name);
    } catch (JobException e) {
      throw Refusals.all(e, all -> read(JsonFields.root(document, all), name));
    }
  }

  private static FlowDefinition read(JsonFields fields, FlowName name) {
    checkSubmitted(fields, name, fields);
    return definition(fields);
  }

  /** Reads a change (RFC 7386) of a definition. Properties that it does not mention stay. */
  public static FlowDefinition patch(FlowDefinition current, byte[] json, FlowName name) {
    Map<String, Object> change = StrictJsonParser.parse(json, MALFORMED);
    try {
      return patch(current, change, name, Refusals.FIRST);
    } catch (JobException e) {
      throw Refusals.all(e, all -> patch(current, change, name, all));
    }
  }

  private static FlowDefinition patch(
      FlowDefinition current, Map<String, Object> change, FlowName name, Refusals refusals) {
    JsonFields fields = JsonFields.root(change, refusals);
    Map<String, Object> stored = StrictJsonParser.parseStored(write(current));
    clearDefaults(stored, current);
    JsonFields merged = JsonFields.root(StoredJson.merged(stored, change), refusals);
    checkSubmitted(fields, name, merged);
    return definition(merged);
  }

  /** Removes computed defaults, so that they follow from the changed properties. */
  private static void clearDefaults(Map<String, Object> stored, FlowDefinition current) {
    boolean hasOwnBurst =
        current
            .rate()
            .filter(rate -> rate.burst() != Rate.defaultBurst(rate.limit(), rate.per()))
            .isPresent();
    if (!hasOwnBurst && stored.get("rate") instanceof Map<?, ?> rate) {
      rate.remove("burst");
    }
    if (current.breaker().isPresent() && stored.get(BREAKER) instanceof Map<?, ?> breaker) {
      clearDefaults(breaker, current.breaker().get());
    }
  }

  private static void clearDefaults(Map<?, ?> stored, Breaker current) {
    if (current.maxPause().equals(longest(current.pause()))) {
      stored.remove("maxPause");
    }
    if (current.ratio().isEmpty()
        && current.consecutive().equals(OptionalInt.of(DEFAULT_CONSECUTIVE))) {
      stored.remove("consecutive");
    }
  }

  /**
   * Refuses properties that would have no effect.
   *
   * @param merged the whole definition, with the fields
   */
  private static void checkSubmitted(JsonFields fields, FlowName name, JsonFields merged) {
    fields.checkName(name.flow());
    fields.refuseRepeats(FlowCodec::canonical, "match");
    fields.refuseRepeats(NameRules::fold, COLLECTIONS);
    boolean isOwnPause = fields.object("pause").filter(pause -> !pause.has("since")).isPresent();
    if (isOwnPause) { // an answer may be put again: its pause has a since
      fields.report(
          fields.refusal(
              "pause", "does not stop calls; POST /flows/" + name.flow() + "/pause does"));
    }
    boolean hasRatio = merged.object(BREAKER).filter(breaker -> breaker.has("ratio")).isPresent();
    if (!hasRatio) {
      fields.object(BREAKER).ifPresent(FlowCodec::checkHasNoWindow);
    }
  }

  /**
   * Returns the pattern in its canonical form. Returns an invalid pattern unchanged, since it is
   * refused later.
   */
  private static String canonical(String pattern) {
    try {
      return HostPattern.parse(pattern).toString();
    } catch (IllegalArgumentException e) {
      return pattern;
    }
  }

  private static void checkHasNoWindow(JsonFields breaker) {
    if (breaker.integer("calls", 1, MAX_CALLS).isPresent()) {
      breaker.report(breaker.refusal("calls", "needs a ratio"));
    }
    if (breaker.duration("window").isPresent()) {
      breaker.report(breaker.refusal("window", "needs a ratio"));
    }
  }

  private static FlowDefinition definition(JsonFields fields) {
    fields.allowOnly(KNOWN, Dialect.NATIVE);
    List<HostPattern> match = patterns(fields, "match", MAX_PATTERNS, HostPattern::parse);
    List<CollectionPattern> collections =
        patterns(fields, COLLECTIONS, MAX_COLLECTIONS, CollectionPattern::parse);
    Optional<Rate> rate = fields.object("rate", FlowCodec::rate);
    OptionalInt parallelism = fields.integer("parallelism", 1, MAX_PARALLELISM);
    Optional<Breaker> breaker = fields.object(BREAKER, FlowCodec::breaker);
    boolean retryAfter = fields.truth("retryAfter").orElse(true);
    fields.throwCollected();
    return new FlowDefinition(match, collections, rate, parallelism, breaker, retryAfter);
  }

  private static <T> List<T> patterns(
      JsonFields fields, String field, int max, Function<String, T> parser) {
    List<String> texts = fields.texts(field);
    if (texts.size() > max) {
      fields.report(
          JobException.invalid(
              field + ": " + texts.size() + " are more than the " + max + " allowed"));
    }
    List<T> patterns = new ArrayList<>(texts.size());
    for (String text : texts) {
      try {
        patterns.add(parser.apply(text));
      } catch (IllegalArgumentException e) {
        fields.report(
            JobException.invalid(field + ": '" + Quoted.of(text) + "' " + e.getMessage()));
      }
    }
    return patterns;
  }

  private static Rate rate(JsonFields fields) {
    fields.allowOnly(KNOWN_OF_RATE, Dialect.NATIVE);
    OptionalInt limit = fields.integer("limit", 1, MAX_LIMIT);
    if (limit.isEmpty()) {
      fields.report(fields.missing("limit"));
    }
    int most = limit.orElse(MAX_LIMIT);
    Duration per = duration(fields, "per", SECOND, WEEK).orElse(SECOND);
    int burst = fields.integer("burst", 1, most).orElse(Rate.defaultBurst(most, per));
    return new Rate(most, per, burst);
  }

  private static Breaker breaker(JsonFields fields) {
    fields.allowOnly(KNOWN_OF_BREAKER, Dialect.NATIVE);
    OptionalInt consecutive = fields.integer("consecutive", 1, MAX_CALLS);
    OptionalDouble ratio = fields.share("ratio");
    Duration pause = duration(fields, "pause", SECOND, HOUR).orElse(DEFAULT_PAUSE);
    return new Breaker(
        consecutive.isEmpty() && ratio.isEmpty()
            ? OptionalInt.of(DEFAULT_CONSECUTIVE)
            : consecutive,
        ratio,
        fields.integer("calls", 1, MAX_CALLS).orElse(DEFAULT_CALLS),
        duration(fields, "window", SECOND, HOUR).orElse(DEFAULT_WINDOW),
        pause,
        duration(fields, "maxPause", pause, DAY).orElse(longest(pause)),
        fields.integer("probes", 1, MAX_PROBES).orElse(1));
  }

  /** Returns the longest pause, if none is given. */
  private static Duration longest(Duration pause) {
    return pause.compareTo(DEFAULT_MAX_PAUSE) > 0 ? pause : DEFAULT_MAX_PAUSE;
  }

  private static Optional<Duration> duration(
      JsonFields fields, String name, Duration min, Duration max) {
    Optional<Duration> given = fields.duration(name);
    given.ifPresent(
        duration -> {
          if (duration.compareTo(min) < 0 || duration.compareTo(max) > 0) {
            fields.report(fields.refusal(name, "must be from " + min + " to " + max));
          }
        });
    return given;
  }

  /**
   * Reads the order of a pause, which may be empty.
   *
   * @param by caller that gives it
   */
  public static FlowPause readPause(byte[] json, Instant now, String by) {
    PauseOptions pause = PauseCodec.read(json, Dialect.NATIVE, now);
    return new FlowPause(now, by, pause.note(), pause.until());
  }

  /** Writes the definition alone, with its defaults. */
  public static String write(FlowDefinition definition) {
    return JsonOut.text(
        json -> {
          json.writeStartObject();
          writeDefinition(json, definition);
          json.writeEndObject();
        });
  }

  /** Writes the stored form: the definition and the pause. */
  public static String write(FlowDefinition definition, Optional<FlowPause> pause) {
    return JsonOut.text(
        json -> {
          json.writeStartObject();
          writeDefinition(json, definition);
          writePause(json, pause);
          json.writeEndObject();
        });
  }

  /**
   * Reads the stored form.
   *
   * @param json written by {@link #write}
   */
  public static Flow read(
      FlowName name, String json, long revision, Instant created, Instant modified) {
    JsonFields fields = JsonFields.root(StrictJsonParser.parseStored(json));
    return new Flow(
        name,
        definition(fields),
        fields.object("pause").map(FlowCodec::pause),
        revision,
        created,
        modified);
  }

  private static FlowPause pause(JsonFields fields) {
    return new FlowPause(
        fields.instant("since").orElseThrow(),
        fields.requiredText("by"),
        fields.text("note"),
        fields.instant("until"));
  }

  /** Writes the answer for a flow. */
  public static byte[] answer(Flow flow) {
    return JsonOut.of(json -> write(json, flow));
  }

  /** Writes the answer for a flow with its state. */
  public static byte[] answer(Flow flow, FlowState state) {
    return JsonOut.object(
        json -> {
          writeFields(json, flow);
          json.writeFieldName("state");
          write(json, state, flow);
        });
  }

  /**
   * Writes a page of flows.
   *
   * @param damaged flows that are left out
   */
  public static byte[] page(
      List<Flow> flows, List<JsonOut.LeftOut> damaged, Optional<String> nextLink) {
    return JsonOut.of(json -> JsonOut.writePage(json, flows, FlowCodec::write, nextLink, damaged));
  }

  private static void write(JsonGenerator json, Flow flow) throws IOException {
    json.writeStartObject();
    writeFields(json, flow);
    json.writeEndObject();
  }

  private static void writeFields(JsonGenerator json, Flow flow) throws IOException {
    json.writeStringField("name", flow.name().flow());
    writeDefinition(json, flow.definition());
    writePause(json, flow.pause());
  }

  private static void writeDefinition(JsonGenerator json, FlowDefinition definition)
      throws IOException {
    if (!definition.match().isEmpty()) {
      JsonOut.writeTexts(
          json, "match", definition.match().stream().map(HostPattern::toString).toList());
    }
    if (!definition.collections().isEmpty()) {
      JsonOut.writeTexts(
          json,
          COLLECTIONS,
          definition.collections().stream().map(CollectionPattern::toString).toList());
    }
    if (definition.rate().isPresent()) {
      Rate rate = definition.rate().get();
      json.writeObjectFieldStart("rate");
      json.writeNumberField("limit", rate.limit());
      json.writeStringField("per", rate.per().toString());
      json.writeNumberField("burst", rate.burst());
      json.writeEndObject();
    }
    if (definition.parallelism().isPresent()) {
      json.writeNumberField("parallelism", definition.parallelism().getAsInt());
    }
    if (definition.breaker().isPresent()) {
      json.writeFieldName(BREAKER);
      write(json, definition.breaker().get());
    }
    json.writeBooleanField("retryAfter", definition.heedsRetryAfter());
  }

  private static void write(JsonGenerator json, Breaker breaker) throws IOException {
    json.writeStartObject();
    if (breaker.consecutive().isPresent()) {
      json.writeNumberField("consecutive", breaker.consecutive().getAsInt());
    }
    if (breaker.ratio().isPresent()) {
      json.writeNumberField("ratio", breaker.ratio().getAsDouble());
      json.writeNumberField("calls", breaker.calls());
      json.writeStringField("window", breaker.window().toString());
    }
    json.writeStringField("pause", breaker.pause().toString());
    json.writeStringField("maxPause", breaker.maxPause().toString());
    json.writeNumberField("probes", breaker.probes());
    json.writeEndObject();
  }

  private static void writePause(JsonGenerator json, Optional<FlowPause> pause) throws IOException {
    if (pause.isPresent()) {
      json.writeObjectFieldStart("pause");
      json.writeStringField("since", Timestamps.format(pause.get().since()));
      json.writeStringField("by", pause.get().by());
      if (pause.get().note().isPresent()) {
        json.writeStringField("note", pause.get().note().get());
      }
      JsonOut.writeInstant(json, "until", pause.get().until());
      json.writeEndObject();
    }
  }

  /** Writes the stopped destinations. Omits healthy ones. */
  private static void writeDestinations(JsonGenerator json, FlowState state) throws IOException {
    json.writeArrayFieldStart("stopped");
    for (Map.Entry<String, LaneState> each : state.destinations().entrySet()) {
      LaneState lane = each.getValue();
      if (lane.isStopped()) {
        json.writeStartObject();
        if (!each.getKey().isEmpty()) {
          json.writeStringField("destination", each.getKey());
        }
        json.writeStringField(BREAKER, lane.breaker().word());
        JsonOut.writeInstant(json, "openUntil", lane.openUntil());
        JsonOut.writeInstant(json, "retryAt", lane.retryAt());
        json.writeEndObject();
      }
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, FlowState state, Flow flow) throws IOException {
    json.writeStartObject();
    json.writeStringField("breaker", state.breaker().word());
    JsonOut.writeInstant(json, "openUntil", state.openUntil());
    JsonOut.writeInstant(json, "retryAt", state.retryAt());
    json.writeNumberField(
        "inFlight", state.inFlight().values().stream().mapToInt(Integer::intValue).sum());
    json.writeObjectFieldStart("byNode");
    for (Map.Entry<String, Integer> node : state.inFlight().entrySet()) {
      json.writeNumberField(node.getKey(), node.getValue());
    }
    json.writeEndObject();
    writeDestinations(json, state);
    json.writeNumberField("waiting", state.waiting());
    JsonOut.writeInstant(json, "oldest", state.oldest());
    json.writeObjectFieldStart("begun");
    json.writeNumberField("lastMinute", state.begunLastMinute());
    json.writeEndObject();
    Optional<Duration> estimate = state.estimate(flow);
    if (estimate.isPresent()) {
      json.writeStringField("estimate", Duration.ofSeconds(estimate.get().toSeconds()).toString());
    }
    json.writeEndObject();
  }
}
