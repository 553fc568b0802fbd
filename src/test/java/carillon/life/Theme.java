package carillon.life;

import carillon.life.Step.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Main subject of a walk. */
@SuppressWarnings("ImmutableEnumChecker") // nobody changes the weights
enum Theme {
  /** Changes of jobs around the instants at which they are due. */
  CHANGES(
      "PUT 8 PATCH 9 DELETE 1 ENABLE 4 DISABLE 4 RUN 2 ENABLE_ALL 2 DISABLE_ALL 2 GO 6 LOSE_REQUEST 1 LOSE_ANSWER 1 FORWARD 10 TO_THE_SECOND 6 POLL 12 SLOW 4 ANSWER_ONE 1 ANSWER_ALL 2 FAIL 1 SUCCEED 1 CUT 1 RESUME 1"),
  /** A collection that is disabled and enabled. */
  DISABLING(
      "PUT 5 PATCH 1 DELETE 1 ENABLE 1 DISABLE 1 RUN 3 OPEN 8 CLOSE 8 GO 7 LOSE_REQUEST 1 LOSE_ANSWER 1 FORWARD 8 TO_THE_SECOND 2 POLL 10 SLOW 1 ANSWER_ALL 1 HOLD_NODE 1 GO_NODE 2 LOSE_NODE 1"),
  /** Lost answers, and a slow target. */
  LOSSES(
      "PUT 8 PATCH 2 RUN 3 DISABLE 1 ENABLE 1 FORWARD 9 TO_THE_SECOND 2 POLL 14 TIDY 1 SLOW 5 ANSWER_ONE 5 ANSWER_ALL 2 LOSE_NODE 9 HOLD_NODE 3 GO_NODE 5 FAIL 1 SUCCEED 1 CUT 3 PAUSE 1 RESUME 6"),
  /** Runs that wait for a place at the slow target and are released. */
  QUEUES("PUT 3 RUN 8 FORWARD 9 POLL 14 SLOW 6 ANSWER_ONE 8 LOSE_NODE 6 GO_NODE 4"),
  /** Jobs whose executions must not overlap. */
  OVERLAP(
      "PUT 5 PATCH 2 DELETE 1 ENABLE 1 DISABLE 2 RUN 2 OPEN 1 CLOSE 1 GO 3 FORWARD 12 TO_THE_SECOND 2 POLL 14 SLOW 6 ANSWER_ONE 6 ANSWER_ALL 2 FAIL 4 SUCCEED 1 HOLD_NODE 3 LOSE_NODE 5 GO_NODE 5 CUT 1 RESUME 3 DIE 1 START 3 FORWARD_LONG 1"),
  /** Jobs with a rule for late occurrences. */
  LATENESS(
      "PUT 6 PATCH 2 ENABLE 2 DISABLE 2 RUN 1 OPEN 1 CLOSE 1 GO 2 FORWARD 12 FORWARD_LONG 2 TO_THE_SECOND 2 BACK 1 POLL 12 SLOW 4 ANSWER_ONE 3 ANSWER_ALL 3 PAUSE 4 CUT 4 RESUME 8 HOLD_NODE 3 GO_NODE 4 LOSE_NODE 3 DIE 1 START 2 FAIL 1 SUCCEED 1"),
  /** Jobs that are disabled when too many of their executions fail in a row. */
  FAILURES(
      "PUT 5 PATCH 1 DELETE 1 ENABLE 4 DISABLE 1 RUN 3 GO 3 LOSE_ANSWER 1 FORWARD 14 TO_THE_SECOND 3 POLL 14 SLOW 4 ANSWER_ONE 5 ANSWER_ALL 3 FAIL 9 SUCCEED 4 HOLD_NODE 3 LOSE_NODE 6 GO_NODE 5 CUT 1 PAUSE 1 RESUME 4 DIE 1 START 2 FORWARD_LONG 1"),
  /** Jobs whose calls pass flows. */
  FLOWS(
      "PUT 7 PATCH 1 DELETE 1 DISABLE 1 ENABLE 1 RUN 6 STOP_FLOWS 2 RESUME_FLOWS 4 RESET_FLOWS 1 FORWARD 12 TO_THE_SECOND 2 POLL 14 SLOW 6 ANSWER_ONE 7 ANSWER_ALL 2 FAIL 1 RETRY_AFTER 2 SUCCEED 2 HOLD_NODE 3 LOSE_NODE 4 GO_NODE 5 CUT 1 PAUSE 1 RESUME 5 DIE 1 START 2"),
  /** Jobs whose calls pass a flow with a breaker, and targets that fail. */
  BREAKERS(
      "PUT 7 PATCH 1 DELETE 1 DISABLE 1 ENABLE 1 RUN 7 STOP_FLOWS 1 RESUME_FLOWS 3 SET_BREAKER 4 RESET_FLOWS 2 FORWARD 16 FORWARD_LONG 1 TO_THE_SECOND 2 POLL 24 SLOW 3 ANSWER_ONE 7 ANSWER_ALL 3 FAIL 10 RETRY_AFTER 4 SUCCEED 3 HOLD_NODE 3 LOSE_NODE 3 GO_NODE 5 CUT 1 PAUSE 1 RESUME 5 DIE 2 START 4"),
  /** Nodes that stop and come back. */
  NODES(
      "PUT 6 PATCH 1 RUN 6 FORWARD 5 FORWARD_LONG 6 POLL 12 SLOW 5 ANSWER_ONE 1 ANSWER_ALL 2 CUT 6 PAUSE 4 RESUME 8 DIE 1 START 3 HOLD_NODE 2 GO_NODE 2 FAIL 1 SUCCEED 1"),
  /** A clock that is set. */
  CLOCKS(
      "PUT 7 PATCH 4 ENABLE 2 DISABLE 2 RUN 2 DELETE 1 FORWARD 8 FORWARD_LONG 1 TO_THE_SECOND 4 BACK 5 BACK_LONG 3 PURGE 2 POLL 10 SLOW 2 ANSWER_ALL 2 GO 3 FAIL 1 SUCCEED 1"),
  /** Everything. */
  ALL(
      "PUT 8 PATCH 4 DELETE 2 ENABLE 2 DISABLE 2 RUN 3 ENABLE_ALL 1 DISABLE_ALL 1 OPEN 2 CLOSE 2 GO 6 LOSE_REQUEST 1 LOSE_ANSWER 1 FORWARD 10 FORWARD_LONG 1 TO_THE_SECOND 4 BACK 1 BACK_LONG 1 PURGE 1 POLL 14 HOLD_NODE 3 LOSE_NODE 3 GO_NODE 4 CUT 2 PAUSE 1 RESUME 4 DIE 1 START 2 RESTART_REDIS 1 SLOW 3 ANSWER_ONE 2 ANSWER_ALL 2 FAIL 1 SUCCEED 1 REST 1");

  /** Highest number of a held command in a request about one job, and then in any request. */
  private static final int FEW_COMMANDS = 3;

  private static final int MAX_COMMANDS = 6;

  /** Value that loses a command by delaying it, see {@link Step#way}. */
  private static final int LATE = 2;

  private final Map<Kind, Integer> weights = new EnumMap<>(Kind.class);
  private int sum;

  /**
   * Creates a theme.
   *
   * @param text names of kinds, each with its weight
   */
  Theme(String text) {
    String[] words = text.split(" ", -1);
    for (int i = 0; i < words.length; i += 2) {
      int weight = Integer.parseInt(words[i + 1]);
      weights.put(Kind.valueOf(words[i]), weight);
      sum += weight;
    }
  }

  /** Whether there are flows. */
  boolean hasFlows() {
    return this == FLOWS || this == BREAKERS;
  }

  /** Returns the number of places of each destination, on each node. */
  int places() {
    return hasFlows() ? 4 : this == OVERLAP ? 2 : 1;
  }

  /** Returns a number of steps that depend only on the seed. */
  List<Step> steps(long seed, int length) {
    Random random = new Random(seed * 31 + name().hashCode());
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      steps.add(step(random));
    }
    return steps;
  }

  private Step step(Random random) {
    Kind kind = kind(random.nextInt(sum));
    int commands = kind.compareTo(Kind.RUN) <= 0 ? FEW_COMMANDS : MAX_COMMANDS;
    int hold = random.nextInt(3) == 0 ? 1 + random.nextInt(commands) : 0;
    return new Step(
        kind,
        random.nextInt(World.JOBS),
        which(kind, random.nextInt(660)),
        this == QUEUES && kind == Kind.LOSE_NODE ? LATE : 1 + random.nextInt(6),
        kind.isRequest() && !isOfFlows(kind) ? Step.Hold.at(hold) : Step.Hold.NONE);
  }

  /** Whether a step changes flows. The instant of such a change must be known. */
  private static boolean isOfFlows(Kind kind) {
    return kind == Kind.STOP_FLOWS
        || kind == Kind.RESUME_FLOWS
        || kind == Kind.SET_BREAKER
        || kind == Kind.RESET_FLOWS;
  }

  private int which(Kind kind, int drawn) {
    if (kind == Kind.PUT && drawn % 5 > 0 && !shapes().isEmpty()) {
      return shapes().get(drawn % shapes().size());
    }
    if (this != QUEUES) {
      return kind == Kind.PUT && !hasFlows() ? drawn % Step.SHAPES_WITHOUT_FLOWS : drawn;
    }
    return switch (kind) {
      case PUT -> Step.SLOW_SHAPES.get(drawn % Step.SLOW_SHAPES.size());
      case LOSE_NODE -> Step.COMMANDS.indexOf("defer");
      default -> drawn;
    };
  }

  /** Returns the shapes of most jobs; empty for any. */
  private List<Integer> shapes() {
    return switch (this) {
      case OVERLAP -> Step.EXCLUSIVE_SHAPES;
      case FLOWS -> Step.FLOW_SHAPES;
      case BREAKERS -> Step.BREAKER_SHAPES;
      case FAILURES -> Step.FAILING_SHAPES;
      case LATENESS -> Step.LATE_SHAPES;
      default -> List.of();
    };
  }

  private Kind kind(int drawn) {
    int left = drawn;
    for (Map.Entry<Kind, Integer> entry : weights.entrySet()) {
      left -= entry.getValue();
      if (left < 0) {
        return entry.getKey();
      }
    }
    throw new AssertionError();
  }
}
