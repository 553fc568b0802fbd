package carillon.recurrence;

import carillon.recurrence.Schedule.MonthlyOccurrence;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Generator of random definitions with many edge cases: month ends, leap days, sparse filters. */
public final class Randoms {
  private final Random random;

  public Randoms(long seed) {
    this.random = new Random(seed);
  }

  public int below(int bound) {
    return random.nextInt(bound);
  }

  public boolean oneIn(int chances) {
    return random.nextInt(chances) == 0;
  }

  public <T> T oneOf(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  public Instant between(Instant from, Instant to) {
    long seconds = to.getEpochSecond() - from.getEpochSecond() + 1;
    long second = from.getEpochSecond() + (long) (random.nextDouble() * seconds);
    return Instant.ofEpochSecond(second, oneIn(2) ? 0 : random.nextInt(1_000_000_000));
  }

  /** Returns an instant from 1950 to 2149. Every third one is at the end of a month. */
  public Instant start() {
    LocalDateTime start =
        LocalDateTime.of(1950 + below(200), 1 + below(12), 1, below(24), below(60))
            .plusDays(oneIn(3) ? -1 - below(3) : below(31));
    int fraction = oneIn(3) ? 100 * below(10_000_000) : 0;
    return start
        .toInstant(ZoneOffset.UTC)
        .plusSeconds(oneIn(2) ? 0 : below(60))
        .plusNanos(fraction);
  }

  public PeriodicRecurrence recurrence(Frequency frequency) {
    int interval =
        1 + below(oneIn(3) ? frequency.maxInterval() : Math.min(6, frequency.maxInterval()));
    Schedule schedule =
        frequency == Frequency.SECOND || oneIn(6) ? Schedule.NONE : schedule(frequency);
    return new PeriodicRecurrence(
        frequency, interval, Recurrence.NO_COUNT, Recurrence.NO_END, schedule);
  }

  private Schedule schedule(Frequency frequency) {
    boolean month = frequency == Frequency.MONTH;
    boolean filters = month || frequency == Frequency.WEEK || frequency == Frequency.DAY;
    return new Schedule(
        some(true, 8, () -> below(60)),
        some(true, 5, () -> below(24)),
        some(frequency == Frequency.WEEK, 4, this::weekDay),
        some(month, 3, () -> oneIn(2) ? 1 + below(31) : -1 - below(31)),
        some(month, 3, () -> new MonthlyOccurrence(weekDay(), below(11) - 5)),
        some(filters && oneIn(2), 5, () -> 1 + below(12)));
  }

  private DayOfWeek weekDay() {
    return DayOfWeek.of(1 + below(7));
  }

  private <T> List<T> some(boolean allowed, int most, Supplier<T> value) {
    List<T> values = new ArrayList<>();
    int count = allowed && oneIn(2) ? 1 + below(most) : 0;
    for (int i = 0; i < count; i++) {
      values.add(value.get());
    }
    return values;
  }
}
