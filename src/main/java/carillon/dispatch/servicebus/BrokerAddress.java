package carillon.dispatch.servicebus;

import carillon.job.action.Destination;
import carillon.job.action.ServiceBusCall.SharedAccessKey;
import carillon.uri.UriAuthority;
import java.net.URI;

/**
 * Address of a broker, and the key for a connection to it.
 *
 * @param host name or address, an IPv6 one without brackets
 * @param isTls whether the connection is encrypted
 * @param usesTokens whether the key signs tokens (claims-based security, as in Azure); otherwise
 *     its name and text are user and password (SASL PLAIN)
 */
public record BrokerAddress(
    String host, int port, boolean isTls, boolean usesTokens, SharedAccessKey key) {
  private static final int AMQP = 5672;
  private static final int AMQPS = 5671;

  /** A namespace of Azure. */
  public static BrokerAddress azure(String namespace, SharedAccessKey key) {
    return new BrokerAddress(namespace + ".servicebus.windows.net", AMQPS, true, true, key);
  }

  /** A broker at an {@code amqp} or {@code amqps} address; {@code ?auth=cbs} asks for tokens. */
  public static BrokerAddress at(URI address, SharedAccessKey key) {
    boolean isTls = address.getScheme().equals("amqps");
    int standard = isTls ? AMQPS : AMQP;
    UriAuthority authority = UriAuthority.of(address);
    return new BrokerAddress(
        authority.host(),
        authority.port() == UriAuthority.NO_PORT ? standard : authority.port(),
        isTls,
        "auth=cbs".equals(address.getRawQuery()),
        key);
  }

  /** Returns host and port. */
  public String authority() {
    return new Destination(host, port).authority();
  }

  /** Returns the audience of a token for an entity. */
  String audience(String path) {
    return "amqps://" + host + "/" + path;
  }
}
