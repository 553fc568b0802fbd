package carillon.config;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Settings of the form {@code name=address}: where something of that name is. */
final class NamedEndpoints {
  private static final Map<String, Integer> PORTS =
      Map.of("http", 80, "https", 443, "amqp", 5672, "amqps", 5671);

  private NamedEndpoints() {}

  /** Each must be a name and an absolute address with a host, without a password. */
  static void check(SettingRules rules, String name, List<String> places, Set<String> schemes) {
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
  static String authority(String place) {
    URI address = URI.create(place.substring(place.indexOf('=') + 1));
    int port = address.getPort() < 0 ? PORTS.get(address.getScheme()) : address.getPort();
    return address.getHost() + ":" + port;
  }

  /** The first address of that name, in any case, that has one of the schemes. */
  static Optional<URI> find(List<String> places, String name, Set<String> schemes) {
    return places.stream()
        .filter(place -> place.substring(0, place.indexOf('=')).equalsIgnoreCase(name))
        .map(place -> URI.create(place.substring(place.indexOf('=') + 1)))
        .filter(address -> schemes.contains(address.getScheme()))
        .findFirst();
  }
}
