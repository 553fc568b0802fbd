package carillon.redis.route;

import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.ZModem;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;

/** Map of the slots of a Cluster to their masters. Confined to one event loop. */
public final class SlotMap {
  private static final int SLOTS = 16_384;

  /** Index of the master in a range of slots: first slot, last slot, master, its replicas. */
  private static final int MASTER = 2;

  private final HostPort[] masters = new HostPort[SLOTS];

  /** The slot of a key: CRC16 of its hash tag, or of all of it. */
  public static int slot(String key) {
    return ZModem.generate(key);
  }

  /**
   * Returns a key that never exists, in the slot of another. It prevents a script from running on a
   * slot that is being moved; see {@link ClusterRoute}.
   */
  static String slotGuard(String key) {
    int tag = key.indexOf('}');
    return tag > 0
        ? key.substring(0, tag) + "}:slotguard"
        : key.substring(0, key.indexOf(':')) + ":slotguard:{" + key + "}";
  }

  /** The master of a slot; null if none is known. */
  HostPort master(int slot) {
    return masters[slot];
  }

  /** Takes over a MOVED. */
  void move(int slot, HostPort master) {
    masters[slot] = master;
  }

  /**
   * Takes over the reply to CLUSTER SLOTS.
   *
   * @param self host of the server that replied, which may not know its own
   * @return all servers that it names, replicas too
   */
  Set<HostPort> take(Response ranges, String self) {
    Set<HostPort> all = new LinkedHashSet<>();
    Arrays.fill(masters, null);
    for (Response range : ranges) {
      HostPort master = address(range.get(MASTER), self);
      Arrays.fill(masters, range.get(0).toInteger(), range.get(1).toInteger() + 1, master);
      for (int i = MASTER; i < range.size(); i++) {
        all.add(address(range.get(i), self));
      }
    }
    return all;
  }

  private static HostPort address(Response server, String self) {
    String host = server.get(0) == null ? "" : server.get(0).toString();
    return new HostPort(host.isEmpty() ? self : host, server.get(1).toInteger());
  }

  /** All masters that hold slots. */
  Set<HostPort> masters() {
    Set<HostPort> all = new LinkedHashSet<>(Arrays.asList(masters));
    all.removeIf(Objects::isNull);
    return all;
  }
}
