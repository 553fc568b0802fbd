package carillon.support;

import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.proton.ProtonConnection;
import io.vertx.proton.ProtonReceiver;
import io.vertx.proton.ProtonSender;
import io.vertx.proton.ProtonServer;
import io.vertx.proton.ProtonServerOptions;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.qpid.proton.Proton;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.apache.qpid.proton.amqp.messaging.Released;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.apache.qpid.proton.message.Message;

/**
 * An AMQP peer whose behaviour depends on the path. {@code silent} never acknowledges, {@code full}
 * gives no credit, {@code slamming} drops the connection, {@code small} takes 100 bytes. {@code
 * rejecting} and {@code releasing} refuse each message. Other paths accept. With a key it emulates
 * the claims-based security of Service Bus, as the protocol guide describes it. Anonymous
 * connections may open a link only after they put a token for its path to {@code $cbs}.
 */
public final class StrangeBroker implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx();
  private final ProtonServer server;
  private final String key;
  private final List<SharedAccessSignature> tokens = new CopyOnWriteArrayList<>();
  private final List<Message> accepted = new CopyOnWriteArrayList<>();
  private final List<String> hosts = new CopyOnWriteArrayList<>();

  /** Starts a peer that accepts any token. */
  public StrangeBroker() {
    this("", new ProtonServerOptions());
  }

  /** Starts a peer with TLS that accepts tokens signed by this key. */
  public StrangeBroker(String key, PemKeyCertOptions certificate) {
    this(key, options(certificate));
  }

  private StrangeBroker(String key, ProtonServerOptions options) {
    this.key = key;
    Promise<ProtonServer> listening = Promise.promise();
    ProtonServer.create(vertx, options)
        .connectHandler(this::accept)
        .listen(
            0,
            "127.0.0.1",
            outcome -> {
              if (outcome.succeeded()) {
                listening.complete(outcome.result());
              } else {
                listening.fail(outcome.cause());
              }
            });
    server = Await.result(listening.future());
  }

  private static ProtonServerOptions options(PemKeyCertOptions certificate) {
    ProtonServerOptions options = new ProtonServerOptions();
    options.setSsl(true).setKeyCertOptions(certificate);
    return options;
  }

  private void accept(ProtonConnection connection) {
    Set<String> granted = new HashSet<>();
    ProtonSender[] answers = new ProtonSender[1];
    connection
        .sessionOpenHandler(session -> session.open())
        .openHandler(
            opened -> {
              hosts.add(connection.getRemoteHostname());
              connection.open();
            })
        .senderOpenHandler(
            sender -> {
              answers[0] = sender;
              sender.setSource(sender.getRemoteSource());
              sender.setTarget(sender.getRemoteTarget());
              sender.open();
            })
        .receiverOpenHandler(
            receiver -> {
              if (receiver.getRemoteTarget().getAddress().equals("$cbs")) {
                receiveTokens(receiver, answers, granted);
              } else {
                receiveMessages(connection, receiver, granted);
              }
            });
  }

  private void receiveTokens(ProtonReceiver receiver, ProtonSender[] answers, Set<String> granted) {
    receiver.setTarget(receiver.getRemoteTarget());
    receiver.handler(
        (delivery, request) -> {
          Message answer = Proton.message();
          answer.setAddress(request.getReplyTo());
          answer.setCorrelationId(request.getMessageId());
          answer.setApplicationProperties(new ApplicationProperties(answer(request, granted)));
          answers[0].send(answer);
        });
    receiver.open();
  }

  private Map<String, Object> answer(Message request, Set<String> granted) {
    if (key.isEmpty()) {
      return Map.of("status-code", 202, "status-description", "Accepted");
    }
    Map<String, Object> properties = request.getApplicationProperties().getValue();
    String token = (String) ((AmqpValue) request.getBody()).getValue();
    try {
      SharedAccessSignature signature = SharedAccessSignature.verify(token, key);
      if (!properties.get("operation").equals("put-token")
          || !properties.get("type").equals("servicebus.windows.net:sastoken")
          || !properties.get("name").equals(signature.resource())) {
        return Map.of("status-code", 400, "status-description", "Bad Request");
      }
      tokens.add(signature);
      granted.add(signature.resource().replaceFirst("^amqps://[^/]+/", ""));
      return Map.of("status-code", 202, "status-description", "Accepted");
    } catch (AssertionError e) {
      return Map.of("status-code", 401, "status-description", "InvalidSignature");
    }
  }

  private void receiveMessages(
      ProtonConnection connection, ProtonReceiver receiver, Set<String> granted) {
    String path = receiver.getRemoteTarget().getAddress();
    if (!key.isEmpty() && !granted.contains(path)) {
      receiver.setCondition(condition("amqp:unauthorized-access", "no token for " + path));
      receiver.close();
      return;
    }
    if (path.equals("slamming")) {
      connection.disconnect();
      return;
    }
    receiver.setTarget(receiver.getRemoteTarget()).setAutoAccept(false);
    if (path.equals("small")) {
      receiver.setMaxMessageSize(UnsignedLong.valueOf(100));
    }
    receiver.setPrefetch(path.equals("full") ? 0 : 100);
    receiver.handler(
        (delivery, message) -> {
          switch (path) {
            case "silent" -> {
              // never answered
            }
            case "rejecting" -> {
              Rejected rejected = new Rejected();
              rejected.setError(condition("amqp:resource-limit-exceeded", "the queue is full"));
              delivery.disposition(rejected, true);
            }
            case "releasing" -> delivery.disposition(Released.getInstance(), true);
            default -> {
              accepted.add(message);
              delivery.disposition(Accepted.getInstance(), true);
            }
          }
        });
    receiver.open();
  }

  private static ErrorCondition condition(String name, String description) {
    return new ErrorCondition(Symbol.valueOf(name), description);
  }

  public int port() {
    return server.actualPort();
  }

  /** Returns the tokens put to {@code $cbs}. */
  public List<SharedAccessSignature> tokens() {
    return List.copyOf(tokens);
  }

  /** Returns the accepted messages. */
  public List<Message> accepted() {
    return List.copyOf(accepted);
  }

  /** Returns the host requested by each connection. */
  public List<String> hosts() {
    return List.copyOf(hosts);
  }

  @Override
  public void close() {
    Await.result(vertx.close());
  }
}
