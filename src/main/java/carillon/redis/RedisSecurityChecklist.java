package carillon.redis;

import carillon.redis.route.RedisErrors;
import carillon.redis.route.ServerPersistence;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;

/** Checklist of unsafe settings of the Redis servers, for operators. Changes nothing. */
public final class RedisSecurityChecklist {
  private static final String POLICY = "maxmemory-policy";
  private static final String DEBUG = "enable-debug-command";

  private final RedisLink link;

  public RedisSecurityChecklist(RedisLink link) {
    this.link = link;
  }

  /** Returns the findings, one line each, with a remedy; fails when Redis cannot be asked. */
  public Future<List<String>> findings() {
    return link.sendToAll(
            () ->
                Request.cmd(Command.CONFIG)
                    .arg("GET")
                    .arg(POLICY)
                    .arg(DEBUG)
                    .arg("append*")
                    .arg("min-replicas-to-write"))
        .map(servers -> servers.stream().flatMap(each -> unsafe(each).stream()).distinct().toList())
        .recover(RedisSecurityChecklist::unreadable);
  }

  /** A user without the right to read the settings gets a finding that says so. */
  private static Future<List<String>> unreadable(Throwable failure) {
    return RedisErrors.isForbidden(failure)
        ? Future.succeededFuture(
            List.of(
                "the settings of Redis cannot be seen (allow CONFIG GET), so that it is not known"
                    + " whether maxmemory-policy is noeviction and what is kept on disk"))
        : Future.failedFuture(failure);
  }

  private static List<String> unsafe(Response settings) {
    List<String> findings = new ArrayList<>();
    String policy = text(settings, POLICY, "noeviction");
    if (!policy.equals("noeviction")) {
      findings.add(
          "Redis has maxmemory-policy "
              + policy
              + ", so that it deletes jobs when its memory is full; set it to noeviction");
    }
    String debug = text(settings, DEBUG, "no");
    if (!debug.equals("no")) {
      findings.add(
          "Redis has enable-debug-command "
              + debug
              + ", with which it can be stopped; set it to no");
    }
    if (ServerPersistence.of(settings).word().equals("none")) {
      findings.add(
          "Redis keeps nothing on disk, or never forces it there: what is accepted can be lost; see"
              + " redis.durability");
    }
    return findings;
  }

  /** A setting that a server does not have is taken as safe. */
  private static String text(Response settings, String name, String otherwise) {
    Response value = settings.get(name);
    return value == null ? otherwise : value.toString();
  }
}
