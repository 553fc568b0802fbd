package carillon.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class QueuesSettingsTest {
  private static final QueuesSettings QUEUES =
      new QueuesSettings(
          List.of("acct=http://127.0.0.1:10001/acct", "Other=https://h"),
          List.of("contoso=amqp://h:5672", "contoso=https://h:8443"),
          1,
          Duration.ofMinutes(1),
          true,
          1,
          1,
          1 << 20);

  @Test
  void anAddressIsFoundByNameInAnyCase() {
    assertEquals(
        Optional.of(URI.create("http://127.0.0.1:10001/acct")), QUEUES.storageAccount("ACCT"));
    assertEquals(Optional.empty(), QUEUES.storageAccount("acc"));
  }

  @Test
  void aNamespaceHasAnAddressForEachTransport() {
    assertEquals(
        Optional.of(URI.create("amqp://h:5672")),
        QUEUES.serviceBus("contoso", Set.of("amqp", "amqps")));
    assertEquals(
        Optional.of(URI.create("https://h:8443")),
        QUEUES.serviceBus("contoso", Set.of("http", "https")));
  }
}
