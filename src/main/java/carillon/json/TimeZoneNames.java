package carillon.json;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRulesProvider;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Names of time zones: those of the tz database in any case, links too; fixed offsets; and those of
 * Windows, with or without the dots of their display form, by the rows of CLDR's windowsZones for
 * the whole world.
 */
public final class TimeZoneNames {
  private static final String RULE =
      "must be a time zone such as Europe/Berlin, W. Europe Standard Time, +05:30 or UTC";

  /** No name is that long; looking for what it may mean costs time. */
  private static final int MAX_LENGTH = 64;

  private static final Pattern OFFSET = Pattern.compile("[+-]\\d\\d:\\d\\d");

  /** What abbreviations are said for most, which are names of several zones, and of the tz none. */
  private static final Map<String, String> ABBREVIATIONS =
      Map.ofEntries(
          Map.entry("acst", "Australia/Adelaide or Australia/Darwin"),
          Map.entry("aest", "Australia/Sydney or Australia/Brisbane"),
          Map.entry("ast", "America/Halifax or Asia/Riyadh"),
          Map.entry("bst", "Europe/London or Asia/Dhaka"),
          Map.entry("cdt", "America/Chicago or America/Havana"),
          Map.entry("cest", "Europe/Berlin or Europe/Paris"),
          Map.entry("cst", "America/Chicago or Asia/Shanghai"),
          Map.entry("edt", "America/New_York or America/Toronto"),
          Map.entry("est", "America/New_York or America/Panama"),
          Map.entry("gst", "Asia/Dubai or Atlantic/South_Georgia"),
          Map.entry("ist", "Asia/Kolkata or Europe/Dublin"),
          Map.entry("jst", "Asia/Tokyo or +09:00"),
          Map.entry("mdt", "America/Denver or America/Boise"),
          Map.entry("msk", "Europe/Moscow or +03:00"),
          Map.entry("mst", "America/Denver or America/Phoenix"),
          Map.entry("pdt", "America/Los_Angeles or America/Vancouver"),
          Map.entry("pst", "America/Los_Angeles or Asia/Manila"),
          Map.entry("sst", "Pacific/Pago_Pago or Asia/Singapore"),
          Map.entry("wst", "Pacific/Apia or Australia/Perth"));

  /**
   * Ids by their form in lower case. The rules of a zone take a while to load: when it is asked
   * for.
   */
  private static final Map<String, String> IDS = ids();

  private static final NavigableMap<String, String> WINDOWS = windows();
  private static final Map<String, String> WINDOWS_IDS = windowsIds();
  private static final Map<String, List<String>> WINDOWS_BY_ID =
      WINDOWS.keySet().stream().collect(Collectors.groupingBy(WINDOWS::get));

  private TimeZoneNames() {}

  /** The version of the tz database that this Java has: {@code 2026a}. */
  public static String version() {
    return ZoneRulesProvider.getVersions("UTC").lastKey();
  }

  /** The zones of the tz database, in order, without those that only Java knows. */
  private static List<String> all() {
    return ZoneId.getAvailableZoneIds().stream()
        .filter(id -> !id.startsWith("SystemV/"))
        .sorted()
        .toList();
  }

  /** All zones as a document, each with its names in Windows and its offset at an instant. */
  public static byte[] document(Instant now) {
    return JsonOut.object(
        json -> {
          json.writeStringField("tzdata", version());
          json.writeArrayFieldStart("value");
          for (String id : all()) {
            write(json, id, now);
          }
          json.writeEndArray();
        });
  }

  private static void write(JsonGenerator json, String id, Instant now) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", id);
    List<String> windows = WINDOWS_BY_ID.getOrDefault(id, List.of());
    if (!windows.isEmpty()) {
      JsonOut.writeTexts(json, "windows", windows);
    }
    json.writeStringField("offset", ZoneId.of(id).getRules().getOffset(now).getId());
    json.writeEndObject();
  }

  /** Names of Windows, each with the zone that it means. */
  static NavigableMap<String, String> windowsNames() {
    return WINDOWS;
  }

  /** What the name means; empty where it means nothing. */
  static Optional<ZoneId> find(String name) {
    if (name.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    if (OFFSET.matcher(name).matches()) {
      return offset(name);
    }
    String id = IDS.get(name.toLowerCase(Locale.ROOT));
    return Optional.ofNullable(id == null ? WINDOWS_IDS.get(folded(name)) : id).map(ZoneId::of);
  }

  private static Optional<ZoneId> offset(String name) {
    try {
      return Optional.of(ZoneOffset.of(name));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Why a name means nothing, to complete a sentence. */
  static String rule(String name) {
    if (name.length() > MAX_LENGTH) {
      return RULE;
    }
    String lower = name.toLowerCase(Locale.ROOT);
    Optional<String> candidates =
        Optional.ofNullable(ABBREVIATIONS.get(lower))
            .or(() -> all().stream().filter(id -> isCity(id, lower)).findFirst());
    return candidates.map(meant -> "is not a name of one time zone; say " + meant).orElse(RULE);
  }

  private static boolean isCity(String id, String name) {
    return id.toLowerCase(Locale.ROOT).endsWith("/" + name.replace(' ', '_'));
  }

  private static Map<String, String> ids() {
    Map<String, String> ids = new HashMap<>();
    ZoneId.getAvailableZoneIds().forEach(id -> ids.put(id.toLowerCase(Locale.ROOT), id));
    return Map.copyOf(ids);
  }

  private static Map<String, String> windowsIds() {
    Map<String, String> ids = new HashMap<>();
    WINDOWS.forEach((name, id) -> ids.put(folded(name), id));
    return Map.copyOf(ids);
  }

  /** A.U.S. Eastern Standard Time is AUS Eastern Standard Time. */
  private static String folded(String name) {
    return name.replace(".", "").toLowerCase(Locale.ROOT);
  }

  /** Each line has a name of Windows and, behind a tab, one of the tz database. */
  private static NavigableMap<String, String> windows() {
    NavigableMap<String, String> names = new TreeMap<>();
    try (InputStream resource = TimeZoneNames.class.getResourceAsStream("windows-zones.tsv");
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(resource, StandardCharsets.UTF_8))) {
      lines
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\t"))
          .forEach(pair -> names.put(pair[0], pair[1]));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Collections.unmodifiableNavigableMap(names);
  }
}
