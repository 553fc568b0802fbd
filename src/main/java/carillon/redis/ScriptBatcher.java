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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Supplier;
import java.util.stream.Collectors;

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
    this.batchScript = script.isOfMany() ? script : script.batched();
  }

  /**
   * One more call. It has at least one key, or, of a script made for many, none.
   *
   * @param shared arguments of a script made for many that are told once for all calls that have
   *     the same; else empty
   * @param behind sends what each batch is to be followed by, in the same packet; the calls are
   *     answered when that is, whatever it says
   */
  Future<Response> add(
      List<String> keys,
      List<String> shared,
      List<String> arguments,
      Supplier<? extends Future<?>> behind) {
    Call call = new Call(keys, shared, arguments, behind);
    int slot = link.isSharded() ? SlotMap.slot(keys.get(0)) : 0;
    gatherings.computeIfAbsent(slot, any -> new Gathering()).add(call);
    return call.reply.future();
  }

  private record Call(
      List<String> keys,
      List<String> shared,
      List<String> arguments,
      int characters,
      Supplier<? extends Future<?>> behind,
      Promise<Response> reply) {
    Call(
        List<String> keys,
        List<String> shared,
        List<String> arguments,
        Supplier<? extends Future<?>> behind) {
      this(keys, shared, arguments, characters(arguments), behind, Promise.promise());
    }

    boolean isOfGroup(Call other) {
      return shared.equals(other.shared) && arguments.size() == other.arguments.size();
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

  private Future<?> send(List<Call> gathered) {
    boolean isOfMany = script.isOfMany();
    List<Call> batch = isOfMany ? grouped(gathered) : gathered;
    boolean isAlone = !isOfMany && batch.size() == 1;
    Future<Response> reply =
        isAlone ? evalAlone(batch.get(0)) : isOfMany ? evalMany(batch) : evalTogether(batch);
    Future<?> behind = batch.get(0).behind.get();
    return Future.join(reply, behind)
        .onComplete(
            answered -> {
              if (isAlone) {
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

  /** Side by side those that share their arguments, and have as many of their own. */
  private static List<Call> grouped(List<Call> batch) {
    Call first = batch.get(0);
    if (batch.stream().allMatch(first::isOfGroup)) {
      return batch;
    }
    return batch.stream()
        .collect(Collectors.groupingBy(Call::shared, LinkedHashMap::new, Collectors.toList()))
        .values()
        .stream()
        .flatMap(List::stream)
        .toList();
  }

  private Future<Response> evalMany(List<Call> batch) {
    List<String> arguments = new ArrayList<>(batch.size() * (1 + batch.get(0).arguments.size()));
    int end = 0;
    for (int i = 0; i < batch.size(); i++) {
      Call call = batch.get(i);
      if (i == end) {
        while (end < batch.size() && call.isOfGroup(batch.get(end))) {
          end++;
        }
        arguments.add(Integer.toString(call.shared.size()));
        arguments.add(Integer.toString(call.arguments.size()));
        arguments.add(Integer.toString(end - i));
        arguments.addAll(call.shared);
      }
      arguments.addAll(call.arguments);
    }
    return link.evalBatch(script, List.of(), arguments);
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
