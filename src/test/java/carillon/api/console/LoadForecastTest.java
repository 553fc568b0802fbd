package carillon.api.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.api.console.LoadForecast.Listing;
import carillon.api.console.LoadForecast.Load;
import carillon.api.console.LoadForecast.Planned;
import carillon.api.console.LoadForecast.Sample;
import carillon.job.name.CollectionName;
import carillon.job.name.JobKey;
import carillon.job.name.JobName;
import carillon.json.JobCodec;
import carillon.json.text.Dialect;
import carillon.json.text.SubmissionLimits;
import carillon.json.view.JobForecast;
import carillon.recurrence.timetable.Exclusions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Test with five jobs, the first due at 18:01 and one more each minute. Counting a job takes 0.1 s.
 */
class LoadForecastTest {
  private static final Instant NOW = Instant.parse("2026-11-20T18:00:00Z");
  private static final JobCodec CODEC =
      new JobCodec(
          Dialect.NATIVE, SubmissionLimits.documented(Duration.ofSeconds(1), Duration.ofHours(1)));
  private static final Sample FIVE =
      new Sample(
          IntStream.rangeClosed(1, 5).mapToObj(LoadForecastTest::planned).toList(),
          Optional.of(Instant.parse("2026-11-20T18:30:00Z")),
          7);

  private final AtomicLong nanos = new AtomicLong();

  private long slow() {
    return nanos.getAndAdd(Duration.ofMillis(100).toNanos());
  }

  private static Planned planned(int minute) {
    String name = "j" + minute;
    Instant next = NOW.plus(Duration.ofMinutes(minute));
    String json =
        "{'startTime':'"
            + next
            + "','action':{'type':'http','request':{'uri':'http://h/','method':'GET'}}}";
    return new Planned(
        new JobName(new CollectionName("s", "g", "c"), name),
        new JobForecast(
            CODEC
                .read(
                    new JobKey("s/g/c/" + name),
                    json.replace('\'', '"').getBytes(StandardCharsets.UTF_8),
                    NOW)
                .definition(),
            NOW,
            Optional.of(next),
            1,
            Exclusions.NONE));
  }

  @Test
  void jobsForWhichThereIsNoTimeAreToldAsNotLookedAt() {
    Load load = LoadForecast.load(FIVE, NOW, this::slow);

    assertEquals(2, load.jobs());
    assertEquals(3, load.notLookedAt());
    assertEquals(2, load.minutes().counts().stream().mapToLong(count -> count).sum());
    assertEquals(Optional.of(Instant.parse("2026-11-20T18:03:00Z")), load.until());
  }

  @Test
  void aListTellsSoToo() {
    Listing listing = LoadForecast.listing(FIVE, NOW, NOW.plus(Duration.ofHours(1)), this::slow);

    assertEquals(List.of(2, 3), List.of(listing.count(), listing.notLookedAt()));
  }

  @Test
  void inTimeAllAreLookedAt() {
    Load load = LoadForecast.load(FIVE, NOW, () -> 0);

    assertEquals(5, load.jobs());
    assertEquals(0, load.notLookedAt());
    assertEquals(FIVE.until(), load.until());
  }
}
