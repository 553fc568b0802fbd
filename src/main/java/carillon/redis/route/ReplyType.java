package carillon.redis.route;

import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Type of the replies of a command in RESP3, of commands whose replies always have one type. */
enum ReplyType {
  NUMBER(
      ResponseType.NUMBER,
      List.of(
          Command.DEL,
          Command.EXISTS,
          Command.HDEL,
          Command.HEXISTS,
          Command.HINCRBY,
          Command.HSET,
          Command.HSETNX,
          Command.LLEN,
          Command.PEXPIRE,
          Command.SADD,
          Command.ZADD,
          Command.ZCARD,
          Command.ZCOUNT,
          Command.ZLEXCOUNT,
          Command.ZREM)),
  TEXT(ResponseType.BULK, List.of(Command.HGET, Command.INFO, Command.XADD)),
  LIST(
      ResponseType.MULTI,
      List.of(
          Command.HGETALL,
          Command.HKEYS,
          Command.HMGET,
          Command.HSCAN,
          Command.HVALS,
          Command.LRANGE,
          Command.ROLE,
          Command.SCAN,
          Command.SSCAN,
          Command.TIME,
          Command.XRANGE,
          Command.XREVRANGE,
          Command.ZMSCORE,
          Command.ZRANGE,
          Command.ZSCAN)),
  WORD(ResponseType.SIMPLE, List.of(Command.RENAME, Command.TYPE));

  private static final Map<Command, ReplyType> OF_COMMANDS = new HashMap<>();

  static {
    for (ReplyType type : values()) {
      type.commands.forEach(command -> OF_COMMANDS.put(command, type));
    }
  }

  private final ResponseType type;

  @SuppressWarnings("ImmutableEnumChecker") // a list that List.of made
  private final List<Command> commands;

  ReplyType(ResponseType type, List<Command> commands) {
    this.type = type;
    this.commands = commands;
  }

  /** Whether a command may have this reply; false shows that the reply belongs to another one. */
  static boolean fits(Request request, Response reply) {
    ReplyType expected = OF_COMMANDS.get(request.command());
    return expected == null || (reply == null ? expected == TEXT : reply.type() == expected.type);
  }
}
