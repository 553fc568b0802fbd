package carillon.support;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/** Ports for servers that cannot choose one themselves. */
public final class Ports {
  /**
   * Below what systems give to outgoing connections and to who asks for any port (from 32768 on):
   * between the choice and its use nobody takes one of these by chance.
   */
  private static final int FIRST = 12_000;

  private static final int COUNT = 20_000;

  /** Each JVM begins elsewhere, and none gives a port twice before it has given all. */
  private static final AtomicInteger NEXT =
      new AtomicInteger((int) (ProcessHandle.current().pid() * 199 % COUNT));

  private Ports() {}

  /** A TCP port of the loopback interface that nobody listens on now. */
  public static int free() {
    for (int tried = 0; tried < COUNT; tried++) {
      int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException("no port is free");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false; // somebody listens
    }
  }
}
