package carillon.config;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Queues that jobs fill. {@code storageAccounts} and {@code serviceBus} say where an account or
 * namespace is that is not in Azure: {@code name=address}. What begins with {@code redis} is about
 * streams and lists in Carillon's own Redis: whether jobs may fill any, and how much these may
 * hold.
 */
public record QueuesSettings(
    List<String> storageAccounts,
    List<String> serviceBus,
    int busConnections,
    Duration busIdle,
    boolean redis,
    int redisQueues,
    int redisLength,
    int redisBytes) {
  public QueuesSettings {
    storageAccounts = List.copyOf(storageAccounts);
    serviceBus = List.copyOf(serviceBus);
    SettingRules rules = new SettingRules("queues");
    NamedEndpoints.check(rules, "storageAccounts", storageAccounts, Set.of("http", "https"));
    NamedEndpoints.check(rules, "serviceBus", serviceBus, Set.of("amqp", "amqps", "http", "https"));
    rules
        .between("busConnections", busConnections, 1, 1000)
        .between("busIdle", busIdle, ofSeconds(1), ofHours(1))
        .between("redisQueues", redisQueues, 1, 256)
        .between("redisLength", redisLength, 1, 10_000_000)
        .between("redisBytes", redisBytes, SettingRules.MB, 1024 * SettingRules.MB)
        .check();
  }

  /** What holds where nothing is set. */
  static QueuesSettings defaults() {
    return new QueuesSettings(
        List.of(), List.of(), 16, ofMinutes(5), true, 100, 100_000, 32 * SettingRules.MB);
  }

  /** Where a storage account is, when that is set. */
  public Optional<URI> storageAccount(String name) {
    return NamedEndpoints.find(storageAccounts, name, Set.of("http", "https"));
  }

  /** Where a Service Bus namespace is, when that is set for one of these schemes. */
  public Optional<URI> serviceBus(String name, Set<String> schemes) {
    return NamedEndpoints.find(serviceBus, name, schemes);
  }

  /** The places that are set, {@code host:port}: what an operator names, jobs may reach. */
  public List<String> places() {
    return Stream.concat(storageAccounts.stream(), serviceBus.stream())
        .map(NamedEndpoints::authority)
        .toList();
  }
}
