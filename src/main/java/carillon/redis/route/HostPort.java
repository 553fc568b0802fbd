package carillon.redis.route;

/**
 * Address of a Redis server, as Sentinel and Cluster name it.
 *
 * @param host name, IPv4 or IPv6 address, without brackets
 */
record HostPort(String host, int port) {

  /** Reads {@code host:port}. An empty host means the answering server, which is {@code self}. */
  static HostPort parse(String text, String self) {
    int colon = text.lastIndexOf(':');
    String host = text.substring(0, colon);
    return new HostPort(host.isEmpty() ? self : host, Integer.parseInt(text.substring(colon + 1)));
  }

  /** The URI for the client. */
  String uri(String scheme) {
    return scheme + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
