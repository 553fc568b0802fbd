package carillon.redis;

import carillon.redis.route.RedisErrors;
import carillon.redis.route.SlotMap;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.ErrorType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Batcher of the calls of one script: gathers calls, so that many travel in one packet and run in
 * one go. The calls of a turn of the event loop leave at its end. While two batches are under way,
 * further calls are gathered until one of them is answered. So the size of a batch follows the
 * load, and a lone call waits for nothing. Under much load a batch takes half of the waiting work.
 * Otherwise the event loop and Redis would pass one large batch to and fro and wait for each other.
 *
 * <p>A script made for many takes a batch as it is, see {@code many.lua}; any other is performed
 * once for each call by {@code batch.lua}. Each call is answered, or fails, separately. When a
 * batch is lost, the outcome of each of its calls is unknown, as for a lone call.
 *
 * <p>In a Cluster the calls of one slot make a batch. Confined to the event loop of its link.
 */
final class ScriptBatcher {
  private static final int MAX_CALLS = 64;

  /** Number of calls up to which a batch is not split: a batch costs as much as several calls. */
  private static final int MIN_SPLIT = 16;

  private static final int MAX_CHARACTERS = 256 * 1024;

  /**
   * Maximum number of batches under way for one slot. With two, Redis works while the event loop
   * reads the answers of the other.
   */
  private static final int MAX_UNDER_WAY = 2;

  /** Divisor of the peak: each batch lowers the peak by this part. */
  private static final int PEAK_FALL = 32;

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
   * Adds a call. It has at least one key, or none if the script is made for many.
   *
   * @param shared arguments of a script made for many, sent once for all calls with the same ones;
   *     else empty
   * @param behind sends a command after each batch, in the same packet; the calls are answered when
   *     it is answered, whatever its outcome
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
    private int callsUnderWay;

    /** Recent maximum of calls that waited or were under way; falls slowly. */
    private int peak;

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
        peak = Math.max(waiting.size() + callsUnderWay, peak - peak / PEAK_FALL);
        List<Call> batch = next();
        underWay++;
        callsUnderWay += batch.size();
        send(batch)
            .onComplete(
                answered -> {
                  underWay--;
                  callsUnderWay -= batch.size();
                  sendWhatWaits();
                });
      }
    }

    private List<Call> next() {
      int most = Math.min(MAX_CALLS, Math.max(MIN_SPLIT, peak / MAX_UNDER_WAY));
      List<Call> batch = new ArrayList<>();
      int characters = 0;
      do {
        Call call = waiting.remove();
        characters += call.characters;
        batch.add(call);
      } while (!waiting.isEmpty()
          && batch.size() < most
          && characters + waiting.element().characters <= MAX_CHARACTERS);
      return batch;
    }
  }

  /**
   * Calls that were sent together, in the order of their replies.
   *
   * @param replies the reply of a call by its place
   */
  private record Batch(List<Call> calls, Future<IntFunction<Response>> replies) {
    void settle(AsyncResult<IntFunction<Response>> answered) {
      for (int i = 0; i < calls.size(); i++) {
        Call call = calls.get(i);
        if (answered.failed()) {
          call.reply.fail(answered.cause());
        } else if (answered.result().apply(i) instanceof ErrorType error) {
          call.reply.fail(RedisErrors.translate(error, () -> call.keys));
        } else {
          call.reply.complete(answered.result().apply(i));
        }
      }
    }
  }

  private Future<?> send(List<Call> calls) {
    Batch batch = evaluate(calls);
    Future<?> behind = calls.get(0).behind.get();
    return Future.join(batch.replies, behind).onComplete(answered -> batch.settle(batch.replies));
  }

  private Batch evaluate(List<Call> calls) {
    if (script.isOfMany()) {
      return evaluateMany(groups(calls));
    }
    return calls.size() == 1 ? evaluateAlone(calls) : evaluateTogether(calls);
  }

  private Batch evaluateAlone(List<Call> calls) {
    Call call = calls.get(0);
    return new Batch(calls, link.eval(script, call.keys, call.arguments).map(reply -> i -> reply));
  }

  private Batch evaluateTogether(List<Call> calls) {
    List<String> keys = new ArrayList<>(calls.size() * calls.get(0).keys.size());
    List<String> arguments = new ArrayList<>(calls.size() * (2 + calls.get(0).arguments.size()));
    for (Call call : calls) {
      keys.addAll(call.keys);
      arguments.add(Integer.toString(call.keys.size()));
      arguments.add(Integer.toString(call.arguments.size()));
      arguments.addAll(call.arguments);
    }
    return new Batch(
        calls, link.evalBatch(batchScript, keys, arguments).map(replies -> replies::get));
  }

  /**
   * Groups the calls by their shared arguments. All calls of a group have the same number of own
   * arguments.
   */
  private static Collection<List<Call>> groups(List<Call> calls) {
    List<String> shared = calls.get(0).shared;
    if (calls.stream().allMatch(call -> call.shared.equals(shared))) {
      return List.of(calls);
    }
    return calls.stream()
        .collect(Collectors.groupingBy(Call::shared, LinkedHashMap::new, Collectors.toList()))
        .values();
  }

  private Batch evaluateMany(Collection<List<Call>> groups) {
    List<Call> calls = new ArrayList<>();
    List<String> arguments = new ArrayList<>();
    for (List<Call> group : groups) {
      Call first = group.get(0);
      arguments.add(Integer.toString(first.shared.size()));
      arguments.add(Integer.toString(first.arguments.size()));
      arguments.add(Integer.toString(group.size()));
      arguments.addAll(first.shared);
      group.forEach(call -> arguments.addAll(call.arguments));
      calls.addAll(group);
    }
    return new Batch(
        calls, link.evalBatch(script, List.of(), arguments).map(replies -> replies::get));
  }
}
