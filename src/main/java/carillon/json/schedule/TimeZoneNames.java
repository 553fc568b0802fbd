package carillon.json.schedule;

import carillon.json.text.JsonOut;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Names of time zones. Known are names of the tz database in any case, including links, and fixed
 * offsets. Names of Windows are known with or without the dots of their display form, by the rows
 * of CLDR's windowsZones for the whole world.
 */
public final class TimeZoneNames {
  private static final String RULE =
      "must be a time zone such as Europe/Berlin, W. Europe Standard Time, +05:30 or UTC";

  /**
   * Maximum length of a name. The search for similar names takes time, and no name is that long.
   */
  private static final int MAX_LENGTH = 64;

  /** Display name in Windows. The places stay the same when governments change the offset. */
  private static final Pattern DISPLAY =
      Pattern.compile("\\((?:UTC|GMT)(?:[+-]\\d\\d:\\d\\d)?\\) *(.+)", Pattern.CASE_INSENSITIVE);

  private static final Pattern OFFSET = Pattern.compile("[+-]\\d\\d:\\d\\d");

  /**
   * Abbreviations that are not names of the tz database, each with the most likely zones. Each one
   * is used for several zones.
   */
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

  /** Names of the tz database that Java may lack, each with a zone of the same rules. */
  private static final Map<String, String> LINKS =
      Map.of(
          "gmt+0", "Etc/GMT", "gmt-0", "Etc/GMT", "hst", "Pacific/Honolulu", "roc", "Asia/Taipei");

  /** The same for names by which people often mean another zone. Only a program writes them so. */
  private static final Map<String, String> LINKS_OF_FILES =
      Map.of("est", "America/Panama", "mst", "America/Phoenix");

  /**
   * Ids by their form in lower case. The rules of a zone load only on request, because loading
   * takes time.
   */
  private static final Map<String, String> IDS = ids();

  private static final List<String[]> WINDOWS_ROWS = windowsRows();
  private static final NavigableMap<String, String> WINDOWS = windows();
  private static final Map<String, String> DISPLAY_IDS = displayIds();
  private static final Map<String, String> WINDOWS_IDS = windowsIds();
  private static final Map<String, List<String>> WINDOWS_BY_ID =
      WINDOWS.keySet().stream().collect(Collectors.groupingBy(WINDOWS::get));

  private TimeZoneNames() {}

  /** The version of the tz database of this Java: {@code 2026a}. */
  public static String version() {
    return ZoneRulesProvider.getVersions("UTC").lastKey();
  }

  /** The zones of the tz database, in order, without zones that only Java defines. */
  private static List<String> all() {
    return ZoneId.getAvailableZoneIds().stream()
        .filter(id -> !id.startsWith("SystemV/"))
        .sorted()
        .toList();
  }

  /**
   * Writes all zones as a document, each with its names in Windows and its offset at an instant.
   */
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

  /** Names of Windows, each with its zone. */
  static NavigableMap<String, String> windowsNames() {
    return WINDOWS;
  }

  /** Returns the zone of a name; empty if the name is unknown. */
  static Optional<ZoneId> find(String name) {
    if (name.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    if (OFFSET.matcher(name).matches()) {
      return offset(name);
    }
    String id = IDS.get(name.toLowerCase(Locale.ROOT));
    return Optional.ofNullable(id)
        .or(() -> Optional.ofNullable(WINDOWS_IDS.get(folded(name))))
        .or(() -> displayed(name))
        .map(ZoneId::of);
  }

  /** Finds the zone that a name means in a file of a program. */
  static Optional<ZoneId> findInFile(String name) {
    return find(name)
        .or(
            () ->
                Optional.ofNullable(LINKS_OF_FILES.get(name.toLowerCase(Locale.ROOT)))
                    .map(ZoneId::of));
  }

  /**
   * Finds a display name of Windows and Outlook: {@code (UTC+01:00) Amsterdam, Berlin, Bern, Rome}.
   */
  private static Optional<String> displayed(String name) {
    Matcher shown = DISPLAY.matcher(name);
    return shown.matches()
        ? Optional.ofNullable(DISPLAY_IDS.get(display(shown.group(1))))
        : Optional.empty();
  }

  private static String display(String places) {
    return folded(places).replace(" and ", " & ");
  }

  /** Returns a zone for each kind of rules in Windows. */
  static List<ZoneId> ofWindows() {
    return WINDOWS.values().stream().distinct().map(ZoneId::of).toList();
  }

  private static Optional<ZoneId> offset(String name) {
    try {
      return Optional.of(ZoneOffset.of(name));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Returns why a name is unknown, to complete a sentence. */
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
    Map<String, String> ids = new HashMap<>(LINKS);
    ZoneId.getAvailableZoneIds().forEach(id -> ids.put(id.toLowerCase(Locale.ROOT), id));
    return Map.copyOf(ids);
  }

  private static Map<String, String> windowsIds() {
    Map<String, String> ids = new HashMap<>();
    WINDOWS.forEach((name, id) -> ids.put(folded(name), id));
    return Map.copyOf(ids);
  }

  /** Removes dots: A.U.S. Eastern Standard Time is AUS Eastern Standard Time. */
  private static String folded(String name) {
    return name.replace(".", "").toLowerCase(Locale.ROOT);
  }

  private static NavigableMap<String, String> windows() {
    NavigableMap<String, String> names = new TreeMap<>();
    WINDOWS_ROWS.forEach(row -> names.put(row[0], row[1]));
    return Collections.unmodifiableNavigableMap(names);
  }

  private static Map<String, String> displayIds() {
    Map<String, String> ids = new HashMap<>();
    for (String[] row : WINDOWS_ROWS) {
      for (String shown : row[2].split(";", -1)) {
        ids.put(display(shown), row[1]);
      }
    }
    return Map.copyOf(ids);
  }

  /**
   * Reads the rows. Each line has a name of Windows, one of the tz database, and the display text
   * of Windows after the offset, separated by tabs.
   */
  private static List<String[]> windowsRows() {
    try (InputStream resource = TimeZoneNames.class.getResourceAsStream("windows-zones.tsv");
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(resource, StandardCharsets.UTF_8))) {
      return lines
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\t"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
