package carillon.redis.embedded;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Scanner;

/**
 * Stand-in for Carillon in a separate JVM. It starts Redis and prints a line. After a request to
 * stop it waits for a line on standard input, and then closes Redis.
 */
public final class HolderProgram {
  private HolderProgram() {}

  /** Runs the program with the data directory as its argument. */
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
