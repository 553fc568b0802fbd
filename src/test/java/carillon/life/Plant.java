package carillon.life;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;

/**
 * A bug that is planted to see that the walk finds it: some text of the product's sources is
 * replaced, and what becomes of it stands in front of the product on the class path of a process of
 * its own. Each was in the product once.
 */
@SuppressWarnings("ImmutableEnumChecker") // a list that is a copy
enum Plant {
  /** A hand-back that Redis gets late or twice ends a later claim of the same run. */
  BLIND_HAND_BACK(
      Rule.REPEATED,
      Theme.QUEUES,
      1,
      new Edit(
          "lua/hand_back.lua",
          "  if mend('HDEL', claims, ARGV[i]) == 1 then",
          """
            local held = mend('HDEL', claims, ARGV[i])
            for _, other in ipairs(redis.call('HKEYS', claims)) do
              if held == 0 and unclaimed(other) == unclaimed(ARGV[i]) then held = redis.call('HDEL', claims, other) end
            end
            if held == 1 then""")),
  /** A change goes by what it saw, though the job went on since. */
  CHANGE_WITHOUT_COMPARISON(
      Rule.ONCE,
      Theme.CHANGES,
      1,
      new Edit(
          "lua/put_job.lua",
          "if standing_of(job, due, key) ~= ARGV[14] then return 'MOVED' end",
          "if not ARGV[14] then return 'MOVED' end")),
  /** A change drops what was due and not begun, without an entry. */
  SILENT_CHANGE(
      Rule.OWED,
      Theme.CHANGES,
      1,
      new Edit(
          "carillon/job/Rescheduling.java",
          "kept.isPresent() ? Optional.empty() : firstDropped(next)",
          "Optional.empty()")),
  /** The gate is set by whoever comes last, and nobody looks again. */
  GATE_OF_THE_LAST(
      Rule.GATE,
      Theme.GATES,
      1,
      new Edit(
          "lua/set_gate.lua",
          "if revision and revision > tonumber(ARGV[3]) then return 'OVERTAKEN' end",
          ""),
      new Edit(
          "carillon/store/collection/DisabledMarkers.java",
          "still.equals(truth) ? Future.succeededFuture() : settle(name, still)",
          "Future.succeededFuture()")),
  /** The last occurrence, while it is under way, is not counted by a change. */
  UNCOUNTED_LAST(
      Rule.COUNT,
      Theme.CHANGES,
      1,
      new Edit("lua/arm.lua", "'exhausted', 1, 'occurrence', occurrence,", "'exhausted', 1,"),
      new Edit(
          "carillon/job/Rescheduling.java",
          "counts && seen.begun().isPresent() ? stored + 1 : stored",
          "stored")),
  /** A run outside the schedule that is given up ends a one-time job. */
  MANUAL_RUN_ENDS_JOB(
      Rule.FINAL,
      Theme.NODES,
      1,
      new Edit(
          "carillon/timer/ClaimPlanner.java",
          "recurring || attempt.isManual() ? Optional.empty()",
          "recurring ? Optional.empty()")),
  /** A change of many jobs happens for each when the client asked for it. */
  MOMENT_OF_THE_REQUEST(
      Rule.OWED,
      Theme.CHANGES,
      1,
      new Edit(
          "carillon/store/job/JobStore.java",
          "Instant now = clock.instant();\n    StoredJob current",
          "Instant now = change.at();\n    StoredJob current")),
  /** Two claims of one run have one place, and only one of them gives it back. */
  PLACE_OF_A_RUN(
      Rule.PLACES,
      Theme.QUEUES,
      1,
      new Edit(
          "lua/hand_back.lua", BLIND_HAND_BACK.edits.get(0).from, BLIND_HAND_BACK.edits.get(0).to),
      new Edit("carillon/timer/InFlight.java", "Map<Claim, Started>", "Map<String, Started>"),
      new Edit(
          "carillon/timer/InFlight.java",
          "performed.put(planned.claim(),",
          "performed.put(planned.claim().attempt().member(),"),
      new Edit(
          "carillon/timer/InFlight.java",
          "performed.remove(from)).ifPresent(started -> performed.put(to,",
          "performed.remove(from.attempt().member())).ifPresent(started -> performed.put(to.attempt().member(),"),
      new Edit(
          "carillon/timer/InFlight.java",
          "performed.remove(claim)",
          "performed.remove(claim.attempt().member())"));

  private static final Path JAVA = Path.of("src/main/java");
  private static final Path RESOURCES = Path.of("src/main/resources");

  private final Rule rule;
  private final Theme theme;
  private final long seed;
  private final List<Edit> edits;

  /** In a source, one text is replaced by another. */
  private record Edit(String file, String from, String to) {
    String in(String text) {
      if (!text.contains(from)) {
        throw new IllegalStateException("the bug no longer fits " + file + ": " + from);
      }
      return text.replace(from, to);
    }

    boolean isJava() {
      return file.endsWith(".java");
    }
  }

  Plant(Rule rule, Theme theme, long seed, Edit... edits) {
    this.rule = rule;
    this.theme = theme;
    this.seed = seed;
    this.edits = List.of(edits);
  }

  /** The rule that it breaks. */
  Rule rule() {
    return rule;
  }

  /** Walks until it is found, and no more than so many steps; what was found. */
  String walk(Path dir, long steps) throws IOException, InterruptedException {
    String path = front(dir) + ":" + classPath();
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
    if (this == PLACE_OF_A_RUN) {
      command.add("-Dcarillon.walk.ignore=" + Rule.REPEATED);
      command.add("-Dcarillon.walk.places=2");
    }
    command.addAll(List.of("-cp", path, WalkProgram.class.getName()));
    command.addAll(List.of(theme.name(), Long.toString(seed), Long.toString(steps)));
    Path out = dir.resolve("out");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    process.waitFor();
    return Files.readString(out);
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** Writes what stands in front of the product, and says where. */
  Path front(Path dir) {
    try {
      for (Edit edit : edits) {
        Path source = (edit.isJava() ? JAVA : RESOURCES).resolve(edit.file);
        Path copy = dir.resolve(edit.file);
        Files.createDirectories(copy.getParent());
        Files.writeString(copy, edit.in(Files.readString(Files.exists(copy) ? copy : source)));
      }
      List<String> sources =
          edits.stream()
              .filter(Edit::isJava)
              .map(edit -> dir.resolve(edit.file).toString())
              .distinct()
              .toList();
      compile(dir, sources);
      return dir;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void compile(Path dir, List<String> sources) {
    if (!sources.isEmpty()) {
      List<String> options = new ArrayList<>(List.of("-d", dir.toString(), "-cp", classPath()));
      options.addAll(List.of("-proc:none", "-nowarn"));
      options.addAll(sources);
      int code =
          ToolProvider.getSystemJavaCompiler()
              .run(null, null, null, options.toArray(String[]::new));
      if (code != 0) {
        throw new IllegalStateException("cannot compile " + sources);
      }
    }
  }
}
