package carillon.redis;

import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.ErrorType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * Gathers calls of one script, so that many travel in one packet and run in one go. What is called
 * in a turn of the event loop leaves at its end. While two batches are under way, further calls are
 * gathered until one of them is answered: a batch is as large as the load makes it, and a lone call
 * waits for nothing. Each call is answered, or fails, for itself; when a batch is lost, the outcome
 * of each of its calls is unknown, as that of a lone call is.
 *
 * <p>In a Cluster the calls of one slot make a batch. Confined to the event loop of its link.
 */
final class ScriptBatcher {
  private static final int MAX_CALLS = 64;
  private static final int MAX_CHARACTERS = 256 * 1024;

  /** Of one slot: with two, Redis works while the event loop reads the answers of the other. */
  private static final int MAX_UNDER_WAY = 2;

  private final RedisLink link;
  private final Context context;
  private final LuaScript script;
  private final LuaScript batchScript;
  private final Map<Integer, Gathering> gatherings = new HashMap<>();

  ScriptBatcher(RedisLink link, Context context, LuaScript script) {
    this.link = link;
    this.context = context;
    this.script = script;
    this.batchScript = script.batched();
  }

  /**
   * One more call, with at least one key.
   *
   * @param behind sends what each batch is to be followed by, in the same packet; the calls are
   *     answered when that is, whatever it says
   */
  Future<Response> add(
      List<String> keys, List<String> arguments, Supplier<? extends Future<?>> behind) {
    Call call = new Call(keys, arguments, behind);
    int slot = link.isSharded() ? SlotMap.slot(keys.get(0)) : 0;
    gatherings.computeIfAbsent(slot, any -> new Gathering()).add(call);
    return call.reply.future();
  }

  private record Call(
      List<String> keys,
      List<String> arguments,
      int characters,
      Supplier<? extends Future<?>> behind,
      Promise<Response> reply) {
    Call(List<String> keys, List<String> arguments, Supplier<? extends Future<?>> behind) {
      this(keys, arguments, characters(arguments), behind, Promise.promise());
    }

    private static int characters(List<String> arguments) {
      int sum = 0;
      for (String argument : arguments) {
        sum += argument.length();
      }
      return sum;
    }
  }

  /** The calls of one slot that wait to be sent. */
  private final class Gathering {
    private final Queue<Call> waiting = new ArrayDeque<>();
    private int underWay;
    private boolean isSendingAtEndOfTurn;

    void add(Call call) {
      waiting.add(call);
      if (underWay < MAX_UNDER_WAY && !isSendingAtEndOfTurn) {
        isSendingAtEndOfTurn = true;
        context.runOnContext(
            end -> {
              isSendingAtEndOfTurn = false;
              sendWhatWaits();
            });
      }
    }

    private void sendWhatWaits() {
      while (underWay < MAX_UNDER_WAY && !waiting.isEmpty()) {
        underWay++;
        send(next())
            .onComplete(
                answered -> {
                  underWay--;
                  sendWhatWaits();
                });
      }
    }

    private List<Call> next() {
      List<Call> batch = new ArrayList<>();
      int characters = 0;
      do {
        Call call = waiting.remove();
        characters += call.characters;
        batch.add(call);
      } while (!waiting.isEmpty()
          && batch.size() < MAX_CALLS
          && characters + waiting.element().characters <= MAX_CHARACTERS);
      return batch;
    }
  }

  private Future<?> send(List<Call> batch) {
    Future<Response> reply = batch.size() == 1 ? evalAlone(batch.get(0)) : evalTogether(batch);
    Future<?> behind = batch.get(0).behind.get();
    return Future.join(reply, behind)
        .onComplete(
            answered -> {
              if (batch.size() == 1) {
                reply.onComplete(batch.get(0).reply);
              } else {
                settle(batch, reply);
              }
            });
  }

  private Future<Response> evalAlone(Call call) {
    return link.eval(script, call.keys, call.arguments);
  }

  private Future<Response> evalTogether(List<Call> batch) {
    List<String> keys = new ArrayList<>(batch.size() * batch.get(0).keys.size());
    List<String> arguments = new ArrayList<>(batch.size() * (2 + batch.get(0).arguments.size()));
    for (Call call : batch) {
      keys.addAll(call.keys);
      arguments.add(Integer.toString(call.keys.size()));
      arguments.add(Integer.toString(call.arguments.size()));
      arguments.addAll(call.arguments);
    }
    return link.evalBatch(batchScript, keys, arguments);
  }

  private static void settle(List<Call> batch, AsyncResult<Response> replies) {
    for (int i = 0; i < batch.size(); i++) {
      Call call = batch.get(i);
      Promise<Response> reply = call.reply;
      if (replies.failed()) {
        reply.fail(replies.cause());
      } else if (replies.result().get(i) instanceof ErrorType error) {
        reply.fail(RedisErrors.translate(error, () -> call.keys));
      } else {
        reply.complete(replies.result().get(i));
      }
    }
  }
}
