package carillon.redis.embedded;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Scanner;

/**
 * A stand-in for Carillon in a JVM of its own: starts Redis, prints a line, and when told to stop
 * waits for a line on standard input before it closes Redis.
 */
public final class HolderProgram {
  private HolderProgram() {}

  /** Takes the data directory. */
  public static void main(String[] args) throws InterruptedException {
    EmbeddedRedis redis;
    try {
      redis = EmbeddedRedis.start(EmbeddedRedisOptions.in(Path.of(args[0])));
    } catch (EmbeddedRedisException e) {
      System.out.println("refused " + e.getMessage());
      return;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(redis)));
    System.out.println("started " + redis.pid());
    Thread.currentThread().join();
  }

  private static void stop(EmbeddedRedis redis) {
    new Scanner(System.in, StandardCharsets.UTF_8).nextLine();
    redis.close();
    System.out.println("closed");
  }
}
