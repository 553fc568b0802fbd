package carillon.support;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.proton.ProtonClient;
import io.vertx.proton.ProtonConnection;
import io.vertx.proton.ProtonReceiver;
import java.util.Set;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.config.impl.SecurityConfiguration;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.spi.core.security.ActiveMQJAASSecurityManager;
import org.apache.activemq.artemis.spi.core.security.jaas.InVMLoginModule;
import org.apache.qpid.proton.message.Message;

/**
 * An AMQP 1.0 broker by others, Apache Artemis, in this JVM and in memory. It has the queue {@code
 * orders}, and the topic {@code news} with the subscription {@code readers}. It creates nothing
 * else on demand. Only one user has any rights.
 */
public final class ArtemisBroker implements AutoCloseable {
  public static final String USER = "policy";
  public static final String PASSWORD = "key/with+signs=";
  private static final String SUBSCRIPTION = "news::readers";

  private final int port;
  private final Vertx vertx = Vertx.vertx();
  private EmbeddedActiveMQ server;

  public ArtemisBroker() {
    this.port = Ports.free();
    start();
  }

  /** Starts the broker again, empty, on the same port. */
  public void start() {
    try {
      AddressSettings settings =
          new AddressSettings().setAutoCreateAddresses(false).setAutoCreateQueues(false);
      SecurityConfiguration users = new SecurityConfiguration();
      users.addUser(USER, PASSWORD);
      users.addRole(USER, "all");
      server =
          new EmbeddedActiveMQ()
              .setConfiguration(
                  new ConfigurationImpl()
                      .setPersistenceEnabled(false)
                      .setSecurityEnabled(true)
                      .putSecurityRoles("#", Set.of(everything("all")))
                      .addAddressSetting("#", settings)
                      .addQueueConfiguration(
                          QueueConfiguration.of("orders").setRoutingType(RoutingType.ANYCAST))
                      .addQueueConfiguration(
                          QueueConfiguration.of("readers")
                              .setAddress("news")
                              .setRoutingType(RoutingType.MULTICAST))
                      .addAcceptorConfiguration(
                          "amqp", "tcp://127.0.0.1:" + port + "?protocols=AMQP"))
              .setSecurityManager(
                  new ActiveMQJAASSecurityManager(InVMLoginModule.class.getName(), users));
      server.start();
    } catch (Exception e) {
      throw new IllegalStateException("Artemis does not start", e);
    }
  }

  private static Role everything(String name) {
    return new Role(name, true, true, true, true, true, true, true, true, true, true, true, true);
  }

  public String address() {
    return "amqp://127.0.0.1:" + port;
  }

  /** Returns the number of open connections. */
  public int connections() {
    return server.getActiveMQServer().getConnectionCount();
  }

  /** Takes the next message of the queue. */
  public Message receive() {
    return receive("orders");
  }

  /** Takes the next message of the topic's subscription. */
  public Message receiveNews() {
    return receive(SUBSCRIPTION);
  }

  /** Waits for one message at an address. */
  private Message receive(String address) {
    Promise<Message> received = Promise.promise();
    ProtonConnection connection = Await.result(connect());
    vertx
        .getOrCreateContext()
        .runOnContext(
            go -> {
              ProtonReceiver receiver = connection.createReceiver(address);
              receiver
                  .setPrefetch(0)
                  .handler((delivery, message) -> received.tryComplete(message))
                  .open()
                  .flow(1);
            });
    try {
      return Await.result(received.future());
    } finally {
      connection.disconnect();
    }
  }

  private Future<ProtonConnection> connect() {
    Promise<ProtonConnection> connected = Promise.promise();
    ProtonClient.create(vertx)
        .connect(
            "127.0.0.1",
            port,
            USER,
            PASSWORD,
            outcome -> {
              if (outcome.succeeded()) {
                connected.complete(outcome.result().open());
              } else {
                connected.fail(outcome.cause());
              }
            });
    return connected.future();
  }

  /** Returns the number of messages in the queue. */
  public long messages() {
    return server.getActiveMQServer().locateQueue("orders").getMessageCount();
  }

  /** Returns the number of messages that are scheduled for later delivery. */
  public long scheduled() {
    return server.getActiveMQServer().locateQueue("orders").getScheduledCount();
  }

  /** Stops the broker. Its messages are lost. */
  public void stop() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("Artemis does not stop", e);
    }
  }

  @Override
  public void close() {
    stop();
    Await.result(vertx.close());
  }
}
