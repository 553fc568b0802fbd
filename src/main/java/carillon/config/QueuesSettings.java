package carillon.config;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Section {@code queues}: queues that jobs fill. {@code storageAccounts} and {@code serviceBus} say
 * where an account or namespace is that is not in Azure: {@code name=address}. What begins with
 * {@code redis} is about streams and lists in Carillon's own Redis: whether jobs may fill any, and
 * how much these may hold.
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
  private static final Map<String, Integer> PORTS =
      Map.of("http", 80, "https", 443, "amqp", 5672, "amqps", 5671);

  public QueuesSettings {
    storageAccounts = List.copyOf(storageAccounts);
    serviceBus = List.copyOf(serviceBus);
    SettingRules rules = new SettingRules("queues");
    check(rules, "storageAccounts", storageAccounts, Set.of("http", "https"));
    check(rules, "serviceBus", serviceBus, Set.of("amqp", "amqps", "http", "https"));
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
    return find(storageAccounts, name, Set.of("http", "https"));
  }

  /** Where a Service Bus namespace is, when that is set for one of these schemes. */
  public Optional<URI> serviceBus(String name, Set<String> schemes) {
    return find(serviceBus, name, schemes);
  }

  /** The places that are set, {@code host:port}: what an operator names, jobs may reach. */
  public List<String> places() {
    return Stream.concat(storageAccounts.stream(), serviceBus.stream())
        .map(QueuesSettings::authority)
        .toList();
  }

  /** Each must be a name and an absolute address with a host, without a password. */
  private static void check(
      SettingRules rules, String name, List<String> places, Set<String> schemes) {
    for (String place : places) {
      rules.require(
          isPlace(place, schemes),
          name,
          place.contains("@") ? "(hidden)" : place,
          "must be NAME=ADDRESS with an address of "
              + String.join(", ", schemes.stream().sorted().toList())
              + ", without a user");
    }
  }

  private static boolean isPlace(String place, Set<String> schemes) {
    int equals = place.indexOf('=');
    try {
      URI address = URI.create(place.substring(equals + 1));
      return equals > 0
          && address.getScheme() != null
          && schemes.contains(address.getScheme())
          && address.getHost() != null
          && address.getRawUserInfo() == null;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** {@code host:port} of a place. */
  private static String authority(String place) {
    URI address = URI.create(place.substring(place.indexOf('=') + 1));
    int port = address.getPort() < 0 ? PORTS.get(address.getScheme()) : address.getPort();
    return address.getHost() + ":" + port;
  }

  /** The first address of that name, in any case, that has one of the schemes. */
  private static Optional<URI> find(List<String> places, String name, Set<String> schemes) {
    return places.stream()
        .filter(place -> place.substring(0, place.indexOf('=')).equalsIgnoreCase(name))
        .map(place -> URI.create(place.substring(place.indexOf('=') + 1)))
        .filter(address -> schemes.contains(address.getScheme()))
        .findFirst();
  }
}
