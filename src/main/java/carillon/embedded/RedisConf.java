package carillon.embedded;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The text of redis.conf. */
final class RedisConf {
  private RedisConf() {}

  static List<String> lines(EmbeddedRedisOptions options, Path socket, Path log) {
    List<String> lines = new ArrayList<>();
    lines.add("# Written by Carillon at every start.");
    lines.add("# No TCP port: only this user's programs reach it, through the socket.");
    lines.add("port 0");
    lines.add("unixsocket " + quoted(socket));
    lines.add("unixsocketperm 700");
    lines.add("dir " + quoted(options.dataDir()));
    lines.add("logfile " + quoted(log));
    lines.add("daemonize no");
    lines.add(
        "# Every write is in the append-only file before it is answered; no snapshots besides.");
    lines.add("appendonly yes");
    lines.add("appendfsync " + options.fsync().name().toLowerCase(Locale.ROOT));
    lines.add("save \"\"");
    lines.add("# Jobs are not a cache: refuse writes rather than forget jobs.");
    lines.add("maxmemory-policy noeviction");
    lines.add(
        "# A job is a hash of a few fields. Up to this size of a value (bytes; Redis' default is 64) it");
    lines.add(
        "# is kept as one compact block instead of a hash table, which takes several times the memory.");
    lines.add("hash-max-listpack-value 4096");
    lines.add(
        "# Every job writes the append-only file a few times over, and each rewrite of the file");
    lines.add("# takes a core for seconds: not yet at Redis' 64 MB.");
    lines.add("auto-aof-rewrite-min-size 512mb");
    lines.addAll(options.extraConfig());
    return lines;
  }

  /** Redis reads a quoted value with C-like escapes. */
  static String quoted(Path path) {
    return '"' + path.toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
