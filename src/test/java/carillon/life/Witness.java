package carillon.life;

import carillon.faults.Resp;
import carillon.faults.Scripts;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.Claim;
import carillon.support.TestClock;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * Reads from the wires which commands Redis performed, even if no party received the answer.
 * Notifies the {@link Model}, so that a change happens there when it happens in Redis.
 */
final class Witness {
  /** Scripts that the model knows. */
  private static final Set<String> KNOWN =
      Set.of(
          "read_job",
          "put_job",
          "delete_job",
          "purge_job",
          "request_execution",
          "claim_due",
          "claim_list",
          "claim_deferred",
          "schedule_next",
          "begin_attempt",
          "finish",
          "recover",
          "release",
          "defer");

  /** Answers of schedule_next after which the next occurrence waits. */
  private static final Set<String> SCHEDULED = Set.of("SCHEDULED", "BUFFERED", "OVERLAP");

  private final Model model;
  private final Milestones milestones;
  private final TestClock clock;
  private final BiPredicate<String, Instant> isLiving;

  /** When Redis last returned a job to each party. Guarded by this. */
  private final Map<String, Instant> reads = new HashMap<>();

  private boolean setBack; // guarded by this

  /**
   * Creates a witness.
   *
   * @param isLiving whether a node has been well since an instant, or longer
   */
  Witness(
      Model model, Milestones milestones, TestClock clock, BiPredicate<String, Instant> isLiving) {
    this.model = model;
    this.milestones = milestones;
    this.clock = clock;
    this.isLiving = isLiving;
  }

  /**
   * Redis answered.
   *
   * @param isHeard whether the answer reaches the party
   */
  void performed(SentCommand sent, Buffer reply, boolean isHeard) {
    if (reply.getByte(0) == '-') {
      return;
    }
    try {
      List<Object> replies = Resp.values(reply, 0);
      if (sent.form() == Scripts.Form.BATCH) {
        tellAll(sent.calls(), replies);
      } else if (sent.form() == Scripts.Form.MANY) {
        tellUsual(sent.calls(), replies);
      } else {
        if (sent.name().equals("flow_take")) {
          take(sent.calls().get(0), replies, isHeard);
        } else if (sent.name().equals("reset_flow")) {
          reset(sent.calls().get(0), text(replies));
        } else if (KNOWN.contains(sent.name())) {
          tell(sent.calls().get(0), replies);
        }
        milestones.performed(sent.name());
      }
    } catch (ViolationException violation) {
      model.found(violation);
    } catch (RuntimeException e) {
      model.found(new ViolationException(Rule.REST, sent.name() + " is not understood: " + e));
    }
  }

  private void tellAll(List<ScriptCall> calls, List<Object> replies) {
    for (int i = 0; i < calls.size(); i++) {
      tell(calls.get(i), List.of(replies.get(i)));
      milestones.performed(calls.get(i).name());
    }
  }

  /**
   * Notifies the model of usual cases. Cases that the script leaves to another are reported when
   * that script is performed.
   */
  private void tellUsual(List<ScriptCall> calls, List<Object> replies) {
    for (int i = 0; i < calls.size(); i++) {
      ScriptCall call = calls.get(i);
      String word = replies.get(i).toString();
      switch (word) {
        case "CREATED" -> tellAll(List.of(call), List.of(word + " " + call.argument(3)));
        case "COMPLETED" -> tellAll(List.of(call), List.of("completed"));
        default -> note(call, call.argument(1), word);
      }
    }
  }

  private void note(ScriptCall sent, Object about, Object reply) {
    model.note("   " + sent.party() + ": " + sent.name() + " " + about + " -> " + reply);
  }

  private void tell(ScriptCall sent, List<Object> reply) {
    switch (sent.name()) {
      case "read_job" -> read(sent);
      case "put_job" -> put(sent, text(reply));
      case "delete_job", "purge_job" -> delete(sent, text(reply));
      case "request_execution" -> run(sent, text(reply));
      case "claim_due", "claim_list", "claim_deferred" -> claim(sent, reply);
      case "schedule_next" -> scheduleNext(sent, text(reply));
      case "begin_attempt" -> begin(sent, text(reply));
      case "finish" -> finish(sent, text(reply));
      case "recover" -> recover(sent, text(reply));
      case "release" -> release(sent, text(reply));
      case "defer" -> note(sent, sent.argument(1), text(reply));
      case "park" -> note(sent, sent.arguments(), text(reply));
      default -> throw new IllegalStateException(sent.name());
    }
  }

  private static String text(List<Object> reply) {
    return reply.get(0).toString();
  }

  private void put(ScriptCall sent, String reply) {
    String[] words = reply.split(" ", -1);
    note(sent, sent.argument(1) + " " + sent.argument(7) + " next " + sent.argument(8), reply);
    boolean isOfWords = sent.argument(10).equals("words"); // which change nothing else
    if (!isOfWords && (words[0].equals("CREATED") || words[0].equals("REPLACED"))) {
      if (World.NODES.contains(sent.party()) && sent.argument(7).equals("disabled")) {
        model.paused(sent.argument(1), sent.party());
      }
      model.written(
          sent.argument(1),
          Plan.of(sent.argument(6)),
          sent.argument(7).equals("enabled"),
          sent.argument(10).equals("replace"),
          Long.parseLong(words[1]),
          made(sent));
    }
  }

  private synchronized void read(ScriptCall sent) {
    reads.put(sent.party() + sent.argument(1), clock.instant());
  }

  /**
   * Returns the instant of a change. The link may have sent it later, but it read the job before.
   */
  private synchronized Instant made(ScriptCall sent) {
    Instant told = Instant.parse(sent.argument(4));
    Instant seen = reads.getOrDefault(sent.party() + sent.argument(1), told);
    return told.isBefore(seen) ? seen : told;
  }

  /** Sets the clock back: earlier reads may then have later instants than later changes. */
  synchronized void setBack(Runnable set) {
    set.run();
    reads.clear();
    setBack = true;
  }

  /** A walk begins. */
  synchronized void begin() {
    setBack = false;
  }

  /** Whether the clock was set back in this walk. */
  synchronized boolean wasSetBack() {
    return setBack;
  }

  private void delete(ScriptCall sent, String word) {
    note(sent, sent.argument(1), word);
    if (word.equals("DELETED") || word.equals("WITHDRAWN") || word.equals("PURGED")) {
      model.deleted(sent.argument(1));
    }
  }

  private void run(ScriptCall sent, String word) {
    note(sent, sent.argument(1), word);
    if (word.startsWith("WAITING ")) {
      model.asked(Attempt.parse(sent.argument(1) + "0 crashes=0"));
    }
  }

  /** Each item is {run, definition, revision, state, next, created, name, due, hold?}. */
  private void claim(ScriptCall sent, List<Object> reply) {
    boolean isDue = sent.name().equals("claim_due");
    if (isDue && sent.argument(1).equals(Long.toString(sent.at().toEpochMilli()))) {
      model.looked(sent.party(), sent.key(1)); // later ranks look at an earlier instant
    }
    for (Object item : reply.subList(1, reply.size())) {
      List<?> fields = (List<?>) item;
      if (fields.size() <= 2) {
        continue; // the end of a pause, or a release of parked attempts
      }
      note(sent, fields.get(0), isHeld(fields) ? "disabled" : "claimed");
      model.claimed(
          Attempt.parse(fields.get(0).toString()), sent.party(), sent.at(), isHeld(fields));
    }
  }

  private static boolean isHeld(List<?> fields) {
    return fields.size() > 8 && !fields.get(8).equals("");
  }

  private void scheduleNext(ScriptCall sent, String word) {
    note(sent, sent.argument(2) + ", next " + sent.argument(5), word);
    Attempt attempt = Claim.parse(sent.argument(1)).attempt();
    Attempt moved = Claim.parse(sent.argument(2)).attempt();
    String room = sent.argument(13);
    if (!room.isEmpty()) {
      model.judged(attempt, moved, Integer.parseInt(room), word);
    }
    if (word.equals("STALE")) {
      model.stands(attempt, sent.at());
    }
    if (SCHEDULED.contains(word)) {
      boolean isSkipped = sent.argument(7).equals(Integer.toString(attempt.occurrence()));
      Instant next = Instant.parse(sent.argument(5));
      long missed = Long.parseLong(sent.argument(8));
      model.missed(attempt, moved, next, missed, isSkipped, sent.at());
      if (word.equals("OVERLAP")) {
        model.moved(attempt, moved);
      } else {
        model.scheduled(attempt, moved, isSkipped, sent.at());
      }
      if (isSkipped) {
        model.refused(moved);
      }
      Instant due = Instant.ofEpochMilli(Long.parseLong(sent.argument(6)));
      model.waits(attempt, next, due, sent.at());
    }
  }

  private void begin(ScriptCall sent, String word) {
    note(sent, sent.argument(1), word);
    model.begins(Claim.parse(sent.argument(1)).attempt(), word);
  }

  private void finish(ScriptCall sent, String word) {
    Attempt attempt = Claim.parse(sent.argument(1)).attempt();
    note(sent, sent.argument(1), word);
    model.finished(sent, attempt, word);
    if (!word.equals("LOST") && sent.argument(4).startsWith("executions")) {
      model.started(attempt, Instant.parse(sent.argument(5)));
    }
    if (word.equals("completed") || word.equals("faulted")) {
      model.ended(attempt);
    }
  }

  private void recover(ScriptCall sent, String moved) {
    String key = sent.key(1);
    String dead = key.substring(key.lastIndexOf(':') + 1);
    if (!moved.equals("0")) {
      note(sent, dead, moved);
    }
    String judged = sent.argument(3);
    Instant since = judged.isEmpty() ? Instant.MAX : Instant.parse(judged);
    if (!moved.equals("0") && isLiving.test(dead, since)) {
      throw new ViolationException(
          Rule.REPEATED, "claims of node " + dead + ", which lives, are taken over");
    }
  }

  private void take(ScriptCall sent, List<Object> reply, boolean isHeard) {
    boolean hasChanged = reply.size() > 6;
    if (hasChanged || !text(reply).equals("0")) {
      note(sent, sent.key(1) + " " + sent.argument(13), reply);
    }
    model.taken(sent, reply, isHeard, clock.instant());
  }

  private void reset(ScriptCall sent, String word) {
    note(sent, sent.key(1), word);
    model.flowReset(sent.key(1), word.equals("1"), clock.instant());
  }

  private void release(ScriptCall sent, String returned) {
    note(sent, sent.argument(3), returned);
    if (!returned.equals("0") && !sent.argument(2).equals("0")) {
      throw new ViolationException(Rule.REPEATED, "released as after a crash: " + sent.argument(3));
    }
  }
}
