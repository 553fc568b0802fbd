package carillon.faults;

import carillon.faults.Journal.Answer;
import carillon.support.Await;
import carillon.support.RedisServer;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.zip.CRC32;

/**
 * Scenario with damaged data in Redis, as only a bug or a manual command leaves it. The damage is
 * broken texts and wrong types in every kind of key.
 */
final class PoisonScenario {
  private static final int PARTITIONS = 64;
  private static final String COLLECTION = "default/default/default";
  private static final List<String> FIELDS =
      List.of("next soon", "definition {", "created yesterday", "occurrence many");

  private static final String LISTED = "listed-";

  private PoisonScenario() {}

  static List<Scenario> all() {
    return List.of(
        Scenario.of(
            "poison", "broken texts and wrong types in every kind of key", PoisonScenario::poison));
  }

  private static void poison(World world) {
    for (int i = 0; i < FIELDS.size(); i++) {
      Plan later = Plan.once(Instant.now().plusSeconds(1800).truncatedTo(ChronoUnit.MILLIS));
      String job = "poison-" + i;
      Await.until("a job", () -> world.driver().put(job, later).join() == Answer.ACCEPTED);
    }
    Journal.Open fault = world.redisFault("poison", false);
    RedisServer redis = world.redis();
    for (int i = 0; i < FIELDS.size(); i++) {
      damage(redis, "poison-" + i, FIELDS.get(i));
    }
    for (int partition = 0; partition < PARTITIONS; partition++) {
      damage(redis, "carillon:{" + partition + "}:");
    }
    redis.ask("ZADD carillon:nodes 1 ghost");
    redis.ask(
        "HSET carillon:gates default/default/ghost ajar default/default/spook \"open since ever\"");
    List.of("node:ghost", "idle").forEach(kind -> replace(redis, "carillon:" + kind));
    // No node takes over from a node that is no longer listed: that is for fsck.
    Await.until(
        "the claims of a dead node to be taken over",
        Duration.ofSeconds(30),
        () -> redis.keys("carillon:*:claims:ghost").isEmpty());
    replace(redis, "carillon:nodes");
    world.pass(Duration.ofSeconds(4));
    replace(redis, "carillon:gates");
    world.pass(Duration.ofSeconds(4));
    // No node looks at a waiting job while no collection is disabled.
    redis.ask("DEL carillon:gates");
    for (int partition = 0; partition < PARTITIONS; partition++) {
      redis.ask("DEL carillon:{" + partition + "}:list:collection:" + COLLECTION);
    }
    for (int i = 0; i < FIELDS.size(); i++) {
      awaitFaulted(world, "poison-" + i);
    }
    readList(world, redis);
    fault.over();
    world.awaitCalls(100);
  }

  /** Reads a list with damaged jobs: it must be answered, and name them. */
  private static void readList(World world, RedisServer redis) {
    for (int i = 0; i < FIELDS.size(); i++) {
      Plan later = Plan.once(Instant.now().plusSeconds(1800).truncatedTo(ChronoUnit.MILLIS));
      String job = LISTED + i;
      Await.until("a job", () -> world.driver().put(job, later).join() == Answer.ACCEPTED);
      redis.ask("HSET " + slot(job) + "job:" + key(job) + " " + FIELDS.get(i));
    }
    StringBuilder list = new StringBuilder();
    String next = Driver.COLLECTIONS + Driver.DEFAULT + "/jobs";
    while (!next.isEmpty()) {
      HttpResponse<String> page = world.driver().get(world.node(0).base(), next).join();
      if (page.statusCode() != 200) {
        world.miss("a list with damaged jobs: " + page.statusCode() + " " + page.body());
        break;
      }
      list.append(page.body());
      next = Histories.next(page.body()).orElse("");
    }
    for (int i = 0; i < FIELDS.size(); i++) {
      if (list.indexOf("\"" + LISTED + i) < 0 && list.indexOf("/" + LISTED + i + "\"") < 0) {
        world.miss("the list does not name " + LISTED + i + ", which is damaged: " + FIELDS.get(i));
      }
    }
    for (int i = 0; i < FIELDS.size(); i++) {
      world.driver().delete(LISTED + i).join();
    }
  }

  /** Returns the job's name in keys. */
  static String key(String job) {
    return COLLECTION + "/" + job;
  }

  /** Returns the key prefix of the job's partition. */
  static String slot(String job) {
    CRC32 crc = new CRC32();
    crc.update(key(job).getBytes(StandardCharsets.UTF_8));
    return "carillon:{" + crc.getValue() % PARTITIONS + "}:";
  }

  /** Damages a job that is due now, so that it cannot be parsed. */
  private static void damage(RedisServer redis, String job, String field) {
    String key = key(job);
    String slot = slot(job);
    redis.ask("HSET " + slot + "job:" + key + " " + field);
    redis.ask("SET " + slot + "history:" + key + " poison");
    redis.ask("ZADD " + slot + "due 1 job:" + key);
  }

  /** Damages every kind of key of a partition, except keys whose content cannot be restored. */
  private static void damage(RedisServer redis, String slot) {
    redis.ask(
        "ZADD "
            + slot
            + "due 1 nonsense 1 job:ghost 1 purge:ghost 1 purge:"
            + COLLECTION
            + "/ghost 1 \"run:"
            + COLLECTION
            + "/ghost at=never occurrence=1 main=1 revision=1 crashes=0\"");
    redis.ask("HSET " + slot + "claims:ghost nonsense 1 run: 1");
    List.of("epochs", "quarantine", "list:collection:" + COLLECTION, "jobs:" + COLLECTION)
        .forEach(kind -> replace(redis, slot + kind));
    redis.ask("SET " + slot + "job:" + COLLECTION + "/spook poison");
    redis.ask(
        "ZADD " + slot + "due 1 job:" + COLLECTION + "/spook 1 purge:" + COLLECTION + "/spook");
  }

  /**
   * Replaces a key by a string with a single command, so that no other command comes in between.
   */
  private static void replace(RedisServer redis, String key) {
    redis.ask("SET " + key + " poison");
  }

  private static void awaitFaulted(World world, String job) {
    Await.until(
        job + " to be faulted",
        Duration.ofSeconds(20),
        () -> {
          HttpResponse<String> answer =
              world.driver().get(world.node(0).base(), Driver.path(job)).join();
          // An unreadable creation date cannot be shown either.
          return answer.statusCode() >= 500 || answer.body().contains("\"faulted\"");
        });
  }
}
