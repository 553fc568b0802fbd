package carillon.support;

import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.dns.AddressResolverOptions;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A real DNS server on loopback that answers address queries as configured, if needed with a
 * different answer each time. The time to live is 0, so that no client has a reason to cache.
 * Thread-safe.
 */
public final class DnsServer implements AutoCloseable {
  private static final int A = 1;
  private static final int AAAA = 28;
  private static final int HEADER = 12;
  private static final int NAME_OF_THE_QUESTION = 0xC000 | HEADER;
  private static final int RESPONSE = 0x8180;
  private static final int NO_SUCH_NAME = 3;

  private final DatagramSocket socket;
  private final Map<String, Deque<List<String>>> answers = new ConcurrentHashMap<>();
  private final List<String> questions = new CopyOnWriteArrayList<>();

  public DnsServer() {
    try {
      socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread thread = new Thread(this::serve, "dns");
    thread.setDaemon(true);
    thread.start();
  }

  /** Answers the next query for a name with these addresses. The last answer is repeated. */
  public DnsServer answer(String name, String... addresses) {
    answers.computeIfAbsent(name, n -> new ArrayDeque<>()).add(List.of(addresses));
    return this;
  }

  /**
   * Returns options of a Vert.x that queries this server, with a long timeout and a hosts file of
   * two entries.
   */
  public VertxOptions vertxOptions() {
    return vertxOptions(Duration.ofSeconds(10));
  }

  /** Same as {@link #vertxOptions()}, with a deadline for each query. */
  public VertxOptions vertxOptions(Duration deadline) {
    return new VertxOptions()
        .setAddressResolverOptions(
            new AddressResolverOptions()
                .setHostsValue(Buffer.buffer("127.0.0.1 localhost\n10.0.0.9 hosted\n"))
                .addServer("127.0.0.1:" + socket.getLocalPort())
                .setQueryTimeout(deadline.toMillis()));
  }

  /** Returns the names queried for IPv4 addresses, in order. */
  public List<String> questions() {
    return List.copyOf(questions);
  }

  private void serve() {
    try {
      while (true) {
        DatagramPacket packet = new DatagramPacket(new byte[512], 512);
        socket.receive(packet);
        byte[] reply = reply(ByteBuffer.wrap(packet.getData(), 0, packet.getLength()));
        socket.send(new DatagramPacket(reply, reply.length, packet.getSocketAddress()));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private byte[] reply(ByteBuffer query) throws IOException {
    int id = query.getShort();
    query.position(HEADER);
    String name = name(query);
    int type = query.getShort();
    int questionEnd = query.position() + 2;
    if (type == A) {
      questions.add(name);
    }
    Deque<List<String>> known = answers.get(name);
    List<InetAddress> addresses = known == null ? List.of() : addresses(known, type);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeShort(id);
    out.writeShort(known == null ? RESPONSE | NO_SUCH_NAME : RESPONSE);
    out.writeShort(1);
    out.writeShort(addresses.size());
    out.writeInt(0);
    byte[] question = new byte[questionEnd - HEADER];
    query.get(HEADER, question);
    out.write(question);
    for (InetAddress address : addresses) {
      out.writeShort(NAME_OF_THE_QUESTION);
      out.writeShort(type);
      out.writeShort(1);
      out.writeInt(0);
      out.writeShort(address.getAddress().length);
      out.write(address.getAddress());
    }
    return bytes.toByteArray();
  }

  private static String name(ByteBuffer query) {
    StringBuilder name = new StringBuilder();
    for (int length = query.get(); length > 0; length = query.get()) {
      byte[] label = new byte[length];
      query.get(label);
      name.append(name.length() == 0 ? "" : ".")
          .append(new String(label, StandardCharsets.US_ASCII));
    }
    return name.toString();
  }

  /** Returns the addresses of the current answer. Only IPv4 queries advance to the next answer. */
  private static List<InetAddress> addresses(Deque<List<String>> known, int type)
      throws IOException {
    List<String> texts;
    synchronized (known) {
      texts = type == A && known.size() > 1 ? known.remove() : known.element();
    }
    List<InetAddress> addresses = new ArrayList<>();
    for (String text : texts) {
      InetAddress address = InetAddress.getByName(text);
      if (type == (address.getAddress().length == 4 ? A : AAAA)) {
        addresses.add(address);
      }
    }
    return addresses;
  }

  @Override
  public void close() {
    socket.close();
  }
}
