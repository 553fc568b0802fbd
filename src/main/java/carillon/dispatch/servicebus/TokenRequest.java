package carillon.dispatch.servicebus;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.proton.ProtonConnection;
import io.vertx.proton.ProtonReceiver;
import io.vertx.proton.ProtonSender;
import java.util.Map;
import org.apache.qpid.proton.Proton;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.Target;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;
import org.apache.qpid.proton.message.Message;

/**
 * Request that gives a connection the rights of a token: put-token to the node {@code $cbs}, as in
 * the claims-based security of the Service Bus protocol guide.
 */
final class TokenRequest {
  private static final String NODE = "$cbs";
  private static final String REPLY_TO = "carillon-cbs";

  private final ProtonSender sender;
  private final ProtonReceiver receiver;
  private final Promise<Void> granted = Promise.promise();

  private TokenRequest(ProtonConnection connection) {
    this.sender = connection.createSender(NODE);
    this.receiver = connection.createReceiver(NODE);
  }

  /**
   * Puts a token; the future fails with a {@link BrokerException} if the broker refuses it.
   *
   * @param audience resource of the token
   */
  static Future<Void> put(ProtonConnection connection, String audience, String token) {
    TokenRequest request = new TokenRequest(connection);
    request.run(audience, token);
    return request.granted.future().onComplete(done -> request.close());
  }

  private void run(String audience, String token) {
    Target target = new Target();
    target.setAddress(REPLY_TO);
    receiver.setTarget(target);
    receiver.handler((delivery, answer) -> answered(answer));
    receiver.closeHandler(closed -> fail(receiver.getRemoteCondition()));
    sender.closeHandler(closed -> fail(sender.getRemoteCondition()));
    Promise<ProtonReceiver> receiving = Promise.promise();
    Promise<ProtonSender> sending = Promise.promise();
    receiver.openHandler(BusConnection.completing(receiving)).open();
    sender.openHandler(BusConnection.completing(sending)).open();
    Future.all(receiving.future(), sending.future())
        .onSuccess(open -> sender.send(request(audience, token)))
        .onFailure(granted::tryFail);
  }

  private static Message request(String audience, String token) {
    Message message = Proton.message();
    message.setMessageId("1");
    message.setReplyTo(REPLY_TO);
    message.setApplicationProperties(
        new ApplicationProperties(
            Map.of(
                "operation",
                "put-token",
                "type",
                "servicebus.windows.net:sastoken",
                "name",
                audience)));
    message.setBody(new AmqpValue(token));
    return message;
  }

  private void answered(Message answer) {
    Map<String, Object> properties =
        answer.getApplicationProperties() == null
            ? Map.of()
            : answer.getApplicationProperties().getValue();
    int status = properties.get("status-code") instanceof Number code ? code.intValue() : 0;
    if (status / 100 == 2) {
      granted.tryComplete();
    } else {
      granted.tryFail(
          BrokerException.of(
              "put-token: " + status, String.valueOf(properties.get("status-description"))));
    }
  }

  private void fail(ErrorCondition condition) {
    granted.tryFail(BrokerException.of(condition));
  }

  private void close() {
    sender.close();
    receiver.close();
  }
}
