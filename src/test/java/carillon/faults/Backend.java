package carillon.faults;

import carillon.support.Backlog;
import carillon.support.RedisCluster;
import carillon.support.RedisSentinels;
import carillon.support.RedisServer;
import java.util.Map;

/** The Redis of a scenario. */
interface Backend extends AutoCloseable {
  /** Environment variables of a node. {@code node} is its number, from 0. */
  Map<String, String> settings(int node);

  /** Backlog of all partitions on these servers. */
  Backlog backlog();

  @Override
  void close();

  /** Backend with a single server, which the nodes reach through proxies. */
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

  /** Default backend: one Redis without Sentinel or Cluster. */
  record Standalone(RedisServer server) implements OneServer {
    @Override
    public void close() {
      server.close();
    }
  }

  /** Single server on a disk that can be filled. */
  record OnSmallDisk(RedisServer server, SmallDisk disk) implements OneServer {
    @Override
    public void close() {
      server.close();
      disk.close();
    }
  }

  /** Master, two replicas and three Sentinels. */
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

  /** Cluster of three masters, each with a replica. */
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
