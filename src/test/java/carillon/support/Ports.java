package carillon.support;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/** Ports for servers that cannot choose one themselves. */
public final class Ports {
  /**
   * Below the range from which systems assign ephemeral ports (32768 and up). Therefore no other
   * program gets the port by chance between its choice and its use.
   */
  private static final int FIRST = 12_000;

  private static final int COUNT = 20_000;

  /** Each JVM starts at a different port and tries all ports before it repeats one. */
  private static final AtomicInteger NEXT =
      new AtomicInteger((int) (ProcessHandle.current().pid() * 199 % COUNT));

  private Ports() {}

  /** Returns a free TCP port of the loopback interface. */
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
      return false; // in use
    }
  }
}
