package carillon.store.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.job.name.JobState;
import carillon.support.Engine;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares merged names with a sorted map of the same names. */
class MergedNamesTest extends StoreFixture {
  private static final List<JobState> STATES = List.of(JobState.values());

  /**
   * Adds the names to the index. If they are not spread by their hash, all are in the first
   * partition.
   */
  private void index(Map<String, JobState> names, boolean spread) {
    engine.stores(
        s -> {
          List<Future<?>> added = new ArrayList<>();
          names.forEach(
              (name, state) ->
                  added.add(
                      s.link()
                          .send(
                              Request.cmd(Command.ZADD)
                                  .arg(
                                      Engine.KEYS.jobs(
                                          spread
                                              ? Engine.KEYS.partition(Engine.name(name).key())
                                              : 0,
                                          Engine.COLLECTION.key()))
                                  .arg(0)
                                  .arg(state.word() + "/" + name))));
          return Future.all(added);
        });
  }

  private Optional<String> skip(List<String> states, String after, int count) {
    return engine.stores(
        s -> new MergedNames(s.link(), Engine.KEYS, Engine.COLLECTION, states).skip(after, count));
  }

  private List<String> after(List<String> states, String name, int limit) {
    return engine.stores(
        s -> new MergedNames(s.link(), Engine.KEYS, Engine.COLLECTION, states).after(name, limit));
  }

  @ParameterizedTest
  @CsvSource({"0, true", "1, true", "300, true", "5000, true", "5000, false"})
  void skippingAndReadingGiveWhatOneSortedListHas(int size, boolean spread) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    TreeMap<String, JobState> names = new TreeMap<>();
    while (names.size() < size) {
      // Half of the names in one state, and many with the same beginning.
      String name =
          (random.nextBoolean() ? "job-" : "") + Integer.toString(random.nextInt(1 << 20), 36);
      names.put(name, random.nextBoolean() ? JobState.ENABLED : STATES.get(random.nextInt(4)));
    }
    index(names, spread);
    for (int i = 0; i < 60; i++) {
      List<String> states =
          random.nextBoolean()
              ? NameSlice.ALL_STATES
              : List.of(STATES.get(random.nextInt(4)).word());
      List<String> all =
          names.entrySet().stream()
              .filter(entry -> states.contains(entry.getValue().word()))
              .map(Map.Entry::getKey)
              .toList();
      int from = all.isEmpty() ? 0 : random.nextInt(all.size());
      String name = from == 0 ? "" : all.get(from - 1);
      int count = 1 + random.nextInt(size + 2);
      int at = from + count - 1;
      String message = "seed " + seed + ", " + states + " after " + name + " by " + count;

      assertEquals(
          at < all.size() ? Optional.of(all.get(at)) : Optional.empty(),
          skip(states, name, count),
          message);
      int limit = 1 + random.nextInt(256);
      assertEquals(
          all.subList(from, Math.min(all.size(), from + limit)),
          after(states, name, limit),
          message);
    }
  }

  @Test
  void aMillionthPartOfARangeIsStillInIt() {
    index(Map.of("a", JobState.ENABLED, "b", JobState.FAULTED), true);

    assertEquals(Optional.of("b"), skip(NameSlice.ALL_STATES, "", 2));
    assertEquals(Optional.empty(), skip(NameSlice.ALL_STATES, "", Integer.MAX_VALUE));
  }
}
