package carillon.life;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Step of a walk. Its numbers are resolved when it is performed, so that a step is meaningful after
 * any other steps.
 *
 * @param a which job or node
 * @param b which of several variants
 * @param c how much
 * @param hold of a request: which of its commands is held on the way to Redis
 */
record Step(Kind kind, int a, int b, int c, Hold hold) {
  private static final List<String> SHAPES =
      List.of(
          "once",
          "once at the slow target",
          "every 2 s",
          "every 5 s",
          "every 5 s, count 2, at the slow target",
          "every 2 s, count 3",
          "once, retried once after 2 s",
          "every 5 s at the slow target",
          "every 5 s, retried once after 2 s",
          "once, with an error action",
          "every 5 s, count 1, at the slow target",
          "once at the slow target",
          "every 5 s, begun within 2 s, at the slow target",
          "every 2 s, all of 10 missed",
          "once, begun within 2 s, at the slow target",
          "every 5 s, count 3, all of 4 missed, begun within 12 s",
          "every 2 s, skipping what overlaps, at the slow target",
          "every 2 s, one waits, retried once after 2 s",
          "every 2 s, two wait, at the slow target",
          "every 5 s, count 3, one waits, begun within 12 s, retried once after 2 s, at the slow target",
          "every 90 s, none missed",
          "every 2 s, all of 3 missed, at the slow target",
          "every 2 s, count 5, all of 6 missed, begun within 7 s, retried once after 2 s, at the slow target",
          "every 5 s, none missed, one waits, at the slow target",
          "every 2 s, disabled after 2 failures",
          "every 2 s, disabled after 2 failures, retried once after 2 s, at the slow target",
          "every 2 s, count 5, disabled after 1 failure, all wait, with an error action",
          "once, at most two at once, at the slow target",
          "every 2 s, at most two at once, retried once after 2 s, at the slow target",
          "every 5 s, count 3, at most two at once, begun within 12 s, at the slow target",
          "every 2 s, at most two in 10 s",
          "every 2 s, at most two in 10 s, one waits, retried once after 2 s",
          "once, at most two in 10 s, at the slow target",
          "once, behind a breaker, at the slow target",
          "every 2 s, behind a breaker",
          "every 2 s, behind a breaker, retried once after 2 s, at the slow target",
          "every 5 s, behind a breaker, begun within 12 s, at the slow target",
          "every 2 s, behind a breaker, skipping what overlaps, retried once after 2 s, at the slow target");

  private static final List<String> PATCHES =
      List.of(
          "state enabled",
          "startTime",
          "no retries",
          "interval 3",
          "state disabled",
          "skipping what overlaps",
          "begun within 3 s",
          "all of 2 missed",
          "none missed",
          "the latest missed, begun at any time",
          "other words");

  /** Shape that begins only after an hour. */
  private static final int IN_AN_HOUR = 11;

  private static final int HOUR = 3600;

  /** Number of shapes without flows. Later shapes name flows, and are refused without flows. */
  static final int SHAPES_WITHOUT_FLOWS = 27;

  static final List<Integer> SLOW_SHAPES = List.of(1, 7);
  static final List<Integer> EXCLUSIVE_SHAPES = List.of(16, 17, 18, 19);
  static final List<Integer> LATE_SHAPES = List.of(12, 13, 14, 15, 20, 21, 22, 23);
  static final List<Integer> FAILING_SHAPES = List.of(24, 25, 24, 25, 26);
  static final List<Integer> FLOW_SHAPES = List.of(27, 28, 29, 30, 31, 32);
  static final List<Integer> BREAKER_SHAPES = List.of(33, 34, 35, 36, 37);

  /** Commands to hold. The last one ends a heartbeat. */
  static final List<String> COMMANDS =
      List.of(
          "claim_due",
          "claim_list",
          "claim_deferred",
          "schedule_next",
          "begin_attempt",
          "finish",
          "release",
          "defer",
          "recover",
          "HGETALL",
          "flow_take",
          "park",
          "release_list");

  /**
   * A command on its way to Redis.
   *
   * @param name of a script, empty for any command
   * @param n counted from 1; 0 for none at all
   */
  record Hold(String name, int n) {
    static final Hold NONE = new Hold("", 0);
    private static final String WORDS = ", held at its ";
    private static final String ANY = "command ";

    static Hold at(int n) {
      return new Hold("", n);
    }

    private static Hold of(String words) {
      return words.startsWith(ANY)
          ? at(Integer.parseInt(words.substring(ANY.length())))
          : new Hold(words, 1);
    }

    boolean isNone() {
      return n == 0;
    }

    boolean isMeant(String command) {
      return name.isEmpty() || name.equals(command);
    }

    private String words() {
      return isNone() ? "" : WORDS + (name.isEmpty() ? ANY + n : name);
    }
  }

  /** Kinds of steps. */
  enum Kind {
    PUT,
    PATCH,
    DELETE,
    ENABLE,
    DISABLE,
    RUN,
    ENABLE_ALL,
    DISABLE_ALL,
    STOP_FLOWS,
    RESUME_FLOWS,
    SET_BREAKER,
    RESET_FLOWS,
    OPEN,
    CLOSE,
    GO,
    LOSE_REQUEST,
    LOSE_ANSWER,
    FORWARD,
    FORWARD_LONG,
    TO_THE_SECOND,
    BACK,
    BACK_LONG,
    PURGE,
    POLL,
    TIDY,
    HOLD_NODE,
    LOSE_NODE,
    GO_NODE,
    CUT,
    PAUSE,
    RESUME,
    DIE,
    START,
    RESTART_REDIS,
    SLOW,
    ANSWER_ONE,
    ANSWER_ALL,
    FAIL,
    RETRY_AFTER,
    SUCCEED,
    REST,
    AWAIT;

    boolean isRequest() {
      return compareTo(CLOSE) <= 0;
    }
  }

  int shape() {
    return Math.floorMod(b, SHAPES.size());
  }

  /** Returns the new breaker for the flow. */
  String breaker() {
    return BreakerBook.NAMES.get(Math.floorMod(b, BreakerBook.NAMES.size()));
  }

  /** Returns the failing answer to calls of the job. */
  Target.Failure ask() {
    return new Target.Failure(b % 2 == 0 ? 429 : 503, c, b / 2 % 2 > 0);
  }

  int patch() {
    return Math.floorMod(b, PATCHES.size());
  }

  String command() {
    return COMMANDS.get(Math.floorMod(b, COMMANDS.size()));
  }

  String job() {
    return "j" + Math.floorMod(a, World.JOBS);
  }

  Wire.Way way() {
    return List.of(Wire.Way.LOST_REQUEST, Wire.Way.LOST_ANSWER, Wire.Way.LATE).get(c % 3);
  }

  Milestones.Kind milestone() {
    Milestones.Kind[] all = Milestones.Kind.values();
    return all[Math.floorMod(b, all.length)];
  }

  /** Returns the start of a PUT, in seconds after the last full second. Some begin in the past. */
  int second() {
    return shape() == IN_AN_HOUR ? HOUR + c : SHAPES.get(shape()).startsWith("every") ? c - 3 : c;
  }

  /** Parses a step from its {@link #words}. The text after "--" is a comment. */
  static Step of(String line) {
    String[] words = line.replaceFirst("--.*", "").trim().split(Hold.WORDS, 2);
    Step step =
        Optional.ofNullable(Dictionary.STEPS.get(words[0]))
            .orElseThrow(() -> new IllegalArgumentException("no step: " + line));
    return words.length == 1
        ? step
        : new Step(step.kind, step.a, step.b, step.c, Hold.of(words[1]));
  }

  /** Steps by their words, for small numbers. */
  private static final class Dictionary {
    static final Map<String, Step> STEPS = new HashMap<>();

    static {
      for (Kind kind : Kind.values()) {
        for (int a = 0; a < World.JOBS; a++) {
          for (int b = 0; b < SHAPES.size(); b++) {
            for (int c = 0; c < SHAPES.size(); c++) {
              Step step = new Step(kind, a, b, c, Hold.NONE);
              STEPS.putIfAbsent(step.words(), step);
            }
          }
        }
      }
    }
  }

  /** Returns the step in readable words. */
  String words() {
    String node = "node " + World.NODES.get(Math.floorMod(a, World.NODES.size()));
    return switch (kind) {
          case PUT ->
              "PUT " + job() + ": " + SHAPES.get(shape()) + ", starts at second " + second();
          case PATCH ->
              "PATCH "
                  + job()
                  + ": "
                  + PATCHES.get(patch())
                  + (patch() == 1 ? " in " + c + " s" : "");
          case DELETE, ENABLE, DISABLE, RUN, FAIL ->
              kind.name().toLowerCase(Locale.ROOT) + " " + job();
          case ENABLE_ALL, DISABLE_ALL ->
              kind == Kind.ENABLE_ALL ? "enable all jobs" : "disable all jobs";
          case STOP_FLOWS -> "the flows are stopped";
          case RESUME_FLOWS -> "the flows go on";
          case SET_BREAKER -> "the breaker " + breaker();
          case RESET_FLOWS -> "the flows are reset";
          case OPEN -> "enable the collection";
          case CLOSE -> "disable the collection";
          case GO -> "the held request goes on";
          case LOSE_REQUEST -> "the held request's command is lost before Redis has it";
          case LOSE_ANSWER -> "the held request's command is performed and its answer lost";
          case FORWARD -> "clock +" + c + " s";
          case FORWARD_LONG -> "clock +200 s, with heartbeats";
          case TO_THE_SECOND -> "clock to the next full second";
          case BACK -> "clock -" + c * 150 + " ms";
          case BACK_LONG -> "clock -" + c * 7 + " s";
          case PURGE -> "clock until finished jobs are purged, and poll";
          case POLL -> "all nodes poll";
          case TIDY -> "a third of a second passes for the nodes";
          case HOLD_NODE -> node + ": its next " + command() + " is held";
          case LOSE_NODE -> node + ": its next " + command() + " " + way().words();
          case GO_NODE ->
              node + ": what is held " + (c % 3 < 2 && b % 3 == 0 ? way().words() : "goes on");
          case CUT -> node + " is cut off from Redis";
          case PAUSE -> node + " pauses";
          case RESUME -> node + " is well again";
          case DIE -> node + " dies";
          case START -> node + " starts again";
          case RESTART_REDIS -> "Redis is killed and starts again";
          case SLOW -> "the slow target keeps its callers waiting";
          case ANSWER_ONE -> "the slow target answers one";
          case ANSWER_ALL -> "the slow target answers all, and is slow no longer";
          case RETRY_AFTER -> job() + " is answered " + ask().words();
          case SUCCEED -> "no job fails any more";
          case REST -> "all is well, until everything rests";
          case AWAIT -> "until " + milestone().words();
        }
        + hold.words();
  }
}
