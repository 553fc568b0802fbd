package carillon.faults;

import carillon.support.Backlog;
import carillon.support.RedisCluster;
import carillon.support.RedisSentinels;
import carillon.support.RedisServer;
import java.util.Map;

/** The Redis of a scenario. */
interface Backend extends AutoCloseable {
  /** What a node is told, by environment variables; {@code node} is its number from 0. */
  Map<String, String> settings(int node);

  /** What is left to do. */
  Backlog backlog();

  @Override
  void close();

  /** One server, which the nodes reach through proxies. */
  interface OneServer extends Backend {
    RedisServer server();

    @Override
    default Map<String, String> settings(int node) {
      return Map.of("CARILLON_REDIS_URI", server().tcpUri().toString());
    }

    @Override
    default Backlog backlog() {
      return new Backlog(server()::ask);
    }
  }

  /** The usual. */
  record Standalone(RedisServer server) implements OneServer {
    @Override
    public void close() {
      server.close();
    }
  }

  /** One whose disk can be filled. */
  record OnSmallDisk(RedisServer server, SmallDisk disk) implements OneServer {
    @Override
    public void close() {
      server.close();
      disk.close();
    }
  }

  /** A master, two replicas, three Sentinels. */
  record Sentinel(RedisSentinels servers) implements Backend {
    @Override
    public Map<String, String> settings(int node) {
      return Map.of(
          "CARILLON_REDIS_MODE",
          "sentinel",
          "CARILLON_REDIS_URI",
          servers.uris(),
          "CARILLON_REDIS_MASTER_NAME",
          RedisSentinels.MASTER_NAME);
    }

    @Override
    public Backlog backlog() {
      return new Backlog(servers.elected()::ask);
    }

    @Override
    public void close() {
      servers.close();
    }
  }

  /** Three masters, each with a replica. */
  record Cluster(RedisCluster servers) implements Backend {
    @Override
    public Map<String, String> settings(int node) {
      return Map.of("CARILLON_REDIS_MODE", "cluster", "CARILLON_REDIS_URI", servers.uris());
    }

    @Override
    public Backlog backlog() {
      return new Backlog(servers::sum);
    }

    @Override
    public void close() {
      servers.close();
    }
  }
}
