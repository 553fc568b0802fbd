package carillon.dispatch.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of the addresses that jobs may reach. */
class EgressPolicyTest {
  private final OwnEndpoints own = new OwnEndpoints();

  private EgressPolicy policy(boolean loopback, String... allow) {
    return new EgressPolicy(List.of(allow), loopback, own);
  }

  private static boolean allows(EgressPolicy policy, String host, String address, int port) {
    return policy.allows(Host.parse(host), address(address), port);
  }

  private static InetAddress address(String text) {
    return Host.parse(text).literal().orElseThrow();
  }

  @ParameterizedTest
  @CsvFileSource(resources = "/egress/targets.csv", delimiter = '|')
  void eachTargetIsAllowedOrNot(
      String allow, String host, String address, int port, String allowed, String why) {
    EgressPolicy policy = policy(false, allow == null ? new String[0] : allow.split(" "));

    assertEquals(
        allowed.equals("yes"), allows(policy, host, address == null ? host : address, port), why);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.1", "2130706433", "0177.0.0.1", "0x7f000001", "0", "0x7f.1", "127.0.0.01", "1.2.3.256",
        "127.0.0.1.2", "1.2.3", "example.0x7f", "example.1", "１２７.1", "00.0.0.0", "0x", "a.0x"
      })
  void whatLooksNumericIsADottedQuadOrNothing(String host) {
    assertThrows(IllegalArgumentException.class, () -> Host.parse(host));
    assertTrue(policy(true).objection(host, 80).isPresent());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "a..b",
        "a b",
        "a%2eb",
        "fe80::1%25lo",
        "fe80::1%eth0",
        "[::1",
        "::g",
        ":::",
        "1::2::3",
        "::ffff:0177.0.0.1",
        "::ffff:127.1",
        "[127.0.0.1]",
        "a/b",
        "a@b",
        "a\\b",
        "a\u0000b"
      })
  void whatIsNoHostIsRefused(String host) {
    assertThrows(IllegalArgumentException.class, () -> Host.parse(host));
  }

  @ParameterizedTest
  @CsvSource({
    "EXAMPLE.org., example.org",
    "Bücher.example, xn--bcher-kva.example",
    "１２７.0.0.1, 127.0.0.1",
    "example。org, example.org",
    "a_b.example, a_b.example",
    "[2606:4700::1], 2606:4700::1",
    "4chan.example, 4chan.example"
  })
  void aHostHasOneCanonicalForm(String host, String canonical) {
    assertEquals(canonical, Host.parse(host).text());
  }

  @Test
  void loopbackIsOpenWhereThatIsSaidAndNothingElseWithIt() {
    EgressPolicy policy = policy(true);

    assertTrue(allows(policy, "127.0.0.1", "127.0.0.1", 9000));
    assertTrue(allows(policy, "localhost", "::1", 9000));
    assertFalse(allows(policy, "0.0.0.0", "0.0.0.0", 9000));
    assertFalse(allows(policy, "10.0.0.1", "10.0.0.1", 9000));
    assertFalse(allows(policy, "169.254.169.254", "169.254.169.254", 80));
  }

  @Test
  void ourOwnPlacesAreClosedOnEveryAddressOfThisMachine() {
    own.add("127.0.0.1", List.of(address("127.0.0.1")), 8080);
    EgressPolicy policy = policy(true, "0.0.0.0/0");

    assertFalse(allows(policy, "127.0.0.1", "127.0.0.1", 8080));
    assertFalse(allows(policy, "x.example", "127.0.0.2", 8080));
    assertFalse(allows(policy, "[::1]", "::1", 8080));
    assertTrue(allows(policy, "127.0.0.1", "127.0.0.1", 8081));
    assertTrue(allows(policy, "10.9.8.7", "10.9.8.7", 8080));
  }

  @Test
  void aListenerOnAllAddressesIsClosedOnEachOfThem() {
    own.add("0.0.0.0", List.of(address("0.0.0.0")), 8080);

    assertFalse(allows(policy(true), "127.0.0.1", "127.0.0.1", 8080));
  }

  @Test
  void redisElsewhereIsClosedByAddressAndByName() {
    own.add("redis.corp.example", List.of(address("10.0.0.5")), 6379);
    EgressPolicy policy = policy(false, "10.0.0.0/8");

    assertFalse(allows(policy, "10.0.0.5", "10.0.0.5", 6379));
    assertFalse(allows(policy, "Redis.corp.example.", "10.0.0.6", 6379));
    assertTrue(allows(policy, "10.0.0.5", "10.0.0.5", 80));
    assertTrue(allows(policy(false, "10.0.0.5:6379"), "10.0.0.5", "10.0.0.5", 6379));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          10.1.2.3 | 80 | target address not allowed: 10.1.2.3:80 needs the entry '10.0.0.0/8' in egress.allow
          127.0.0.1 | 81 | target address not allowed: 127.0.0.1:81 needs the entry '127.0.0.1:81' in egress.allow
          ::1 | 81 | target address not allowed: [::1]:81 needs the entry '[::1]:81' in egress.allow
          localhost. | 81 | target address not allowed: localhost:81 is 127.0.0.1 and needs the entry 'localhost:81' in egress.allow
          127.1 | 80 | host '127.1' is neither a name nor an address of four decimal numbers without leading zeros
          """)
  void anObjectionSaysWhatWouldHelp(String host, int port, String objection) {
    assertEquals(Optional.of(objection), policy(false).objection(host, port));
  }

  @Test
  void theEntryThatIsNamedHelps() {
    for (String host : List.of("10.1.2.3", "127.0.0.1", "::1", "localhost", "fd00:ec2::254")) {
      String objection = policy(false).objection(host, 81).orElseThrow();
      String entry = objection.split("'", -1)[1];

      assertEquals(Optional.empty(), policy(false, entry).objection(host, 81), entry);
    }
  }

  @Test
  void aNameMayTurnOutToBeAnything() {
    assertEquals(Optional.empty(), policy(false).objection("evil.example", 80));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.0/33",
        "10.0.0.1/8",
        "10.0.0.0/",
        "10.0.0.0/-1",
        "::/129",
        "host:0",
        "host:65536",
        "host:",
        ":80",
        "127.1:80",
        "*.",
        "*.10.0.0.1",
        "a b",
        "http://a/",
        "*",
        "*:80",
        "a*",
        "*.a*.b",
        "host:080"
      })
  void anEntryThatCannotBeUnderstoodIsRefused(String entry) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> policy(false, entry)).getMessage();

    assertTrue(message.startsWith("egress.allow: '" + entry + "' "), message);
  }
}
