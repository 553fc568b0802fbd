package carillon.redis;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * Commands in one Cluster slot that Redis performs only if conditions hold, in one atomic step: the
 * form of every proof and repair. Built up by its methods; confined to one thread.
 */
public final class ConditionalCommands {
  private static final Script<Outcome> COMPARE =
      Script.returningWord("compare_and_execute", Outcome.class);

  private enum Outcome {
    DONE,
    CHANGED
  }

  private final List<String> keys = new ArrayList<>();
  private final List<String> conditions = new ArrayList<>();
  private final List<String> steps = new ArrayList<>();
  private int conditionCount;
  private int stepCount;

  /** The command's reply for this key is this text; numbers are compared as numbers. */
  public ConditionalCommands when(
      String expected, String command, String key, String... arguments) {
    add(conditions, command, key, arguments);
    conditions.add("=" + expected);
    conditionCount++;
    return this;
  }

  /** The command's reply for this key is nil. */
  public ConditionalCommands whenNone(String command, String key, String... arguments) {
    add(conditions, command, key, arguments);
    conditions.add("nil");
    conditionCount++;
    return this;
  }

  /**
   * Adds the condition that the command replies this text for this key, or nil if the text is null.
   */
  public ConditionalCommands whenSame(
      String found, String command, String key, String... arguments) {
    return found == null ? whenNone(command, key, arguments) : when(found, command, key, arguments);
  }

  /** Adds a command to perform. */
  public ConditionalCommands then(String command, String key, String... arguments) {
    add(steps, command, key, arguments);
    stepCount++;
    return this;
  }

  /** Adds the renaming of a key, with a number behind the name where something has it already. */
  public ConditionalCommands thenRename(String key, String name) {
    return then("RENAME", key, Integer.toString(index(name)));
  }

  private void add(List<String> to, String command, String key, String... arguments) {
    to.add(Integer.toString(arguments.length + 2));
    to.add(command);
    to.add(Integer.toString(index(key)));
    to.addAll(List.of(arguments));
  }

  /**
   * Checks the conditions and performs the commands in one step.
   *
   * @param withSteps false to ask only whether the facts hold
   * @return whether they do
   */
  public Future<Boolean> run(RedisLink link, boolean withSteps) {
    Script.CallBuilder<Outcome> call =
        COMPARE
            .on(link)
            .keys("whatever", keys)
            .arg("conditions", conditionCount)
            .args("commands", conditions)
            .arg("commands", withSteps ? stepCount : 0);
    return (withSteps ? call.args("commands", steps) : call)
        .run()
        .map(outcome -> outcome == Outcome.DONE);
  }

  /** The index of a key, from 1. */
  private int index(String key) {
    if (!keys.contains(key)) {
      keys.add(key);
    }
    return keys.indexOf(key) + 1;
  }

  /** True if there are commands to perform. */
  public boolean isRepair() {
    return stepCount > 0;
  }
}
