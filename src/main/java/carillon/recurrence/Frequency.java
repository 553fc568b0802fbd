package carillon.recurrence;

import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * The unit in which a recurrence counts. Five are the service's; {@code YEAR} appears only in its
 * samples, {@code SECOND} is Carillon's extension.
 */
public enum Frequency {
  SECOND(ChronoUnit.SECONDS, 1000, "Second"),
  MINUTE(ChronoUnit.MINUTES, 1000, "Minute"),
  HOUR(ChronoUnit.HOURS, 1000, "Hour"),
  DAY(ChronoUnit.DAYS, 548, "Day"),
  WEEK(ChronoUnit.WEEKS, 78, "Week"),
  MONTH(ChronoUnit.MONTHS, 18, "Month"),
  YEAR(ChronoUnit.YEARS, 10, "Year");

  private final ChronoUnit unit;
  private final int maxInterval;
  private final String label;
  private final String word = name().toLowerCase(Locale.ROOT);

  Frequency(ChronoUnit unit, int maxInterval, String label) {
    this.unit = unit;
    this.maxInterval = maxInterval;
    this.label = label;
  }

  /** The largest interval the service documents for this unit: about 18 months, 1000 at most. */
  public int maxInterval() {
    return maxInterval;
  }

  public ChronoUnit unit() {
    return unit;
  }

  /** The word that is stored and answered: {@code week}. */
  public String word() {
    return word;
  }

  /** Returns the name in messages and in the XML of Azure: "Week". */
  public String label() {
    return label;
  }
}
