package carillon.json.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.ibm.icu.impl.ICUData;
import com.ibm.icu.impl.ICUResourceBundle;
import com.ibm.icu.util.UResourceBundle;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeZoneNamesTest {
  @Test
  void theNamesOfWindowsAreThoseOfCldr() {
    UResourceBundle rows =
        UResourceBundle.getBundleInstance(
                ICUData.ICU_BASE_NAME, "windowsZones", ICUResourceBundle.ICU_DATA_CLASS_LOADER)
            .get("mapTimezones");
    Map<String, String> expected = new TreeMap<>();
    for (int i = 0; i < rows.getSize(); i++) {
      expected.put(rows.get(i).getKey(), rows.get(i).get("001").getString());
    }

    assertTrue(expected.size() > 130, expected.size() + " rows");
    assertEquals(expected, TimeZoneNames.windowsNames());
    expected.forEach(
        (name, id) ->
            assertEquals(
                Optional.of(ZoneId.of(id).getRules()),
                TimeZoneNames.find(name.toUpperCase(Locale.ROOT)).map(ZoneId::getRules)));
  }

  @Test
  void eachNameOfTheTzDatabaseIsKnownInAnyCase() {
    for (String id : ZoneId.getAvailableZoneIds()) {
      assertEquals(Optional.of(ZoneId.of(id)), TimeZoneNames.find(id.toLowerCase(Locale.ROOT)), id);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "utc, UTC",
    "US/Pacific, US/Pacific",
    "+05:30, +05:30",
    "hst, Pacific/Honolulu",
    "GMT-0, Etc/GMT",
    "-00:00, Z",
    "Pacific Standard Time, America/Los_Angeles",
    "A.U.S. Eastern Standard Time, Australia/Sydney",
    "W. Europe Standard Time, Europe/Berlin",
    "W Europe Standard Time, Europe/Berlin",
    "U.S. Mountain Standard Time, America/Phoenix",
    "'(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna', Europe/Berlin",
    "'(gmt+01:00) brussels, copenhagen, madrid, paris', Europe/Paris",
    "(UTC-05:00) Eastern Time (US and Canada), America/New_York",
    "(UTC-05:00) Eastern Time (US & Canada), America/New_York",
    "'(UTC) Dublin, Edinburgh, Lisbon, London', Europe/London",
    "'(UTC+02:00) Moscow, St. Petersburg', Europe/Moscow"
  })
  void aNameMeansAZone(String name, String zone) {
    assertEquals(Optional.of(zone), TimeZoneNames.find(name).map(ZoneId::getId));
  }

  @ParameterizedTest
  @CsvSource({"EST, America/Panama", "mst, America/Phoenix", "hst, Pacific/Honolulu"})
  void filesUseNamesThatPeopleMayMeanInAnotherWay(String name, String zone) {
    assertEquals(Optional.of(zone), TimeZoneNames.findInFile(name).map(ZoneId::getId));
  }

  /** Java uses other names for these zones, or none. */
  @Test
  void taiwanIsKnownByItsOldName() {
    assertEquals(
        Optional.of(ZoneId.of("Asia/Taipei").getRules()),
        TimeZoneNames.find("ROC").map(ZoneId::getRules));
  }

  @ParameterizedTest
  @CsvSource({
    "EST, is not a name of one time zone; say America/New_York or America/Panama",
    "PST, is not a name of one time zone; say America/Los_Angeles or Asia/Manila",
    "ist, is not a name of one time zone; say Asia/Kolkata or Europe/Dublin",
    "Los Angeles, is not a name of one time zone; say America/Los_Angeles",
    "'', 'must be a time zone such as Europe/Berlin, W. Europe Standard Time, +05:30 or UTC'",
    "+19:00, 'must be a time zone such as Europe/Berlin, W. Europe Standard Time, +05:30 or UTC'",
    "UTC+5, 'must be a time zone such as Europe/Berlin, W. Europe Standard Time, +05:30 or UTC'"
  })
  void whatMeansNoneIsToldWhy(String name, String rule) {
    assertEquals(Optional.empty(), TimeZoneNames.find(name));
    assertEquals(rule, TimeZoneNames.rule(name));
  }
}
