package carillon.recurrence;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;

/** Generator of random recurrence rules. RFC 5545 allows all of them. */
public final class RruleRandoms {
  private static final List<String> FREQUENCIES =
      List.of(
          "YEARLY",
          "YEARLY",
          "MONTHLY",
          "MONTHLY",
          "WEEKLY",
          "DAILY",
          "HOURLY",
          "MINUTELY",
          "SECONDLY");
  private static final List<String> DAYS = List.of("MO", "TU", "WE", "TH", "FR", "SA", "SU");
  private static final List<Integer> INTERVALS = List.of(1, 1, 1, 2, 3, 4, 5, 7, 12, 13, 24, 90);

  private final Randoms random;

  public RruleRandoms(Randoms random) {
    this.random = random;
  }

  public String rule() {
    String frequency = random.oneOf(FREQUENCIES);
    List<String> parts = new ArrayList<>(List.of("FREQ=" + frequency));
    parts.add("INTERVAL=" + random.oneOf(INTERVALS));
    add(parts, 3, "BYMONTH=" + numbers(1, 12, false));
    if (frequency.equals("YEARLY") && random.oneIn(5)) {
      parts.add("BYWEEKNO=" + numbers(1, 53, true));
      parts.add("BYDAY=" + days(0));
    } else {
      addDays(parts, frequency);
    }
    add(parts, 3, "BYHOUR=" + numbers(0, 23, false));
    add(parts, 3, "BYMINUTE=" + numbers(0, 59, false));
    add(parts, 6, "BYSECOND=" + numbers(0, 59, false));
    if (parts.size() > 2) {
      add(parts, 4, "BYSETPOS=" + numbers(1, random.oneIn(2) ? 2 : 10, true));
    }
    add(parts, 4, "WKST=" + random.oneOf(DAYS));
    return String.join(";", parts);
  }

  private void addDays(List<String> parts, String frequency) {
    boolean isElapsed = frequency.matches("HOURLY|MINUTELY|SECONDLY");
    if (frequency.equals("YEARLY") || isElapsed) {
      add(parts, 5, "BYYEARDAY=" + numbers(1, 366, true));
    }
    if (!frequency.equals("WEEKLY")) {
      add(parts, 3, "BYMONTHDAY=" + numbers(1, 31, true));
    }
    boolean isNumbered = frequency.equals("MONTHLY") || frequency.equals("YEARLY");
    add(parts, 3, "BYDAY=" + days(isNumbered && random.oneIn(2) ? 5 : 0));
  }

  private void add(List<String> parts, int oneIn, String part) {
    if (random.oneIn(oneIn)) {
      parts.add(part);
    }
  }

  private String numbers(int least, int most, boolean isSigned) {
    TreeSet<Integer> numbers = new TreeSet<>();
    for (int i = random.below(3); i >= 0; i--) {
      int number = least + random.below(most - least + 1);
      numbers.add(isSigned && random.oneIn(3) ? -number : number);
    }
    return String.join(",", numbers.stream().map(String::valueOf).toList());
  }

  private String days(int maxNumber) {
    List<String> days = new ArrayList<>(DAYS);
    Collections.rotate(days, random.below(days.size()));
    return String.join(
        ",",
        days.subList(0, 1 + random.below(3)).stream()
            .map(day -> maxNumber == 0 ? day : number(maxNumber) + day)
            .toList());
  }

  private int number(int max) {
    int number = 1 + random.below(max);
    return random.oneIn(3) ? -number : number;
  }
}
