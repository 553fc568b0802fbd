package carillon.life;

import carillon.support.Await;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** API requests of the walk, and their answers about the collection. */
final class Requests {
  private static final int LATEST_ERROR = 500;
  private static final int OK = 200;
  private static final int INVALID = 400;

  /** Shapes in the order of their words in {@link Step}. */
  private static final List<Shape> SHAPES =
      List.of(
          new Shape(false, 0, 0, "none", false),
          new Shape(true, 0, 0, "none", false),
          new Shape(false, 2, 0, "none", false),
          new Shape(false, 5, 0, "none", false),
          new Shape(true, 5, 2, "none", false),
          new Shape(false, 2, 3, "none", false),
          new Shape(false, 0, 0, "once", false),
          new Shape(true, 5, 0, "none", false),
          new Shape(false, 5, 0, "once", false),
          new Shape(false, 0, 0, "none", true),
          new Shape(true, 5, 1, "none", false),
          new Shape(true, 0, 0, "none", false),
          new Shape(true, 5, 0, "none", false, ",`startWithin`:`PT2S`"),
          new Shape(false, 2, 0, "none", false, ",`missed`:{`run`:`all`,`max`:10}"),
          new Shape(true, 0, 0, "none", false, ",`startWithin`:`PT2S`"),
          new Shape(
              false, 5, 3, "none", false, ",`missed`:{`run`:`all`,`max`:4},`startWithin`:`PT12S`"),
          new Shape(true, 2, 0, "none", false, ",`overlap`:`skip`"),
          new Shape(false, 2, 0, "once", false, ",`overlap`:`bufferOne`"),
          new Shape(true, 2, 0, "none", false, ",`overlap`:`bufferAll`,`bufferMax`:2"),
          new Shape(true, 5, 3, "once", false, ",`overlap`:`bufferOne`,`startWithin`:`PT12S`"),
          new Shape(false, 90, 0, "none", false, ",`missed`:{`run`:`none`}"),
          new Shape(true, 2, 0, "none", false, ",`missed`:{`run`:`all`,`max`:3}"),
          new Shape(
              true, 2, 5, "once", false, ",`missed`:{`run`:`all`,`max`:6},`startWithin`:`PT7S`"),
          new Shape(true, 5, 0, "none", false, ",`missed`:{`run`:`none`},`overlap`:`bufferOne`"),
          new Shape(false, 2, 0, "none", false, ",`pauseAfterFailures`:2"),
          new Shape(true, 2, 0, "once", false, ",`pauseAfterFailures`:2"),
          new Shape(false, 2, 5, "none", true, ",`pauseAfterFailures`:1,`overlap`:`bufferAll`"),
          new Shape(true, 0, 0, "none", false).in(FlowBook.NARROW),
          new Shape(true, 2, 0, "once", false).in(FlowBook.NARROW),
          new Shape(true, 5, 3, "none", false, ",`startWithin`:`PT12S`").in(FlowBook.NARROW),
          new Shape(false, 2, 0, "none", false).in(FlowBook.SLOW),
          new Shape(false, 2, 0, "once", false, ",`overlap`:`bufferOne`").in(FlowBook.SLOW),
          new Shape(true, 0, 0, "none", false).in(FlowBook.SLOW),
          new Shape(true, 0, 0, "none", false).in(BreakerBook.FLOW),
          new Shape(false, 2, 0, "none", false).in(BreakerBook.FLOW),
          new Shape(true, 2, 0, "once", false).in(BreakerBook.FLOW),
          new Shape(true, 5, 0, "none", false, ",`startWithin`:`PT12S`").in(BreakerBook.FLOW),
          new Shape(true, 2, 0, "once", false, ",`overlap`:`skip`").in(BreakerBook.FLOW));

  private final World world;
  private int toggles;
  private int underWay;
  private volatile boolean doubtful;

  /** Shape of a job. Every 0 means once, count 0 means no limit. */
  private record Shape(
      boolean slow, int every, int count, String retry, boolean error, String late, String flow) {
    Shape(boolean slow, int every, int count, String retry, boolean error, String late) {
      this(slow, every, count, retry, error, late, "");
    }

    Shape in(String named) {
      return new Shape(slow, every, count, retry, error, late, named);
    }

    Shape(boolean slow, int every, int count, String retry, boolean error) {
      this(slow, every, count, retry, error, "");
    }
  }

  Requests(World world) {
    this.world = world;
  }

  /**
   * Sends the request of a step through a free door. A request to hold goes through the first door.
   */
  void send(Step step) {
    Door door = world.doors.get(0);
    if (step.hold().isNone() || door.isPending()) {
      door = world.doors.get(1);
    } else {
      door.wire().hold(step.hold()::isMeant, step.hold().n());
    }
    if (!door.isPending()) {
      send(step, door);
    }
  }

  private void send(Step step, Door door) {
    String job = "/jobs/" + step.job();
    switch (step.kind()) {
      case PUT -> door.send("PUT", job, definition(step), code -> checkAccepted(step, code));
      case PATCH -> door.send("PATCH", job, patch(step), code -> {});
      case DELETE -> door.send("DELETE", job, "", code -> {});
      case ENABLE -> door.send("POST", job + "/enable", "", code -> {});
      case DISABLE -> door.send("POST", job + "/disable", "", code -> {});
      case RUN -> door.send("POST", job + "/run", "", code -> {});
      case ENABLE_ALL -> door.send("PATCH", "/jobs", state("enabled"), code -> {});
      case DISABLE_ALL -> door.send("PATCH", "/jobs", state("disabled"), code -> {});
      case OPEN -> toggle(door, true);
      case CLOSE -> toggle(door, false);
      default -> throw new IllegalArgumentException(step.toString());
    }
  }

  /** Fails on a refused request: it would make the walk shorter than it looks. */
  private void checkAccepted(Step step, int code) {
    if (code == INVALID) {
      world.model.found(new ViolationException(Rule.VALID, step.words() + " is refused"));
    }
  }

  private synchronized void toggle(Door door, boolean opens) {
    int mine = ++toggles;
    boolean alone = underWay == 0;
    underWay++;
    if (opens) {
      world.model.opening();
    }
    door.send(
        "POST", opens ? "/enable" : "/disable", "", code -> answered(code, opens, alone, mine));
  }

  private synchronized void answered(int code, boolean opens, boolean alone, int mine) {
    underWay--;
    boolean undisturbed = alone && toggles == mine;
    if (code == 0 || code >= LATEST_ERROR) {
      doubtful = true;
    } else if (undisturbed && !opens) {
      world.model.closed();
    }
  }

  /** Whether the result of a change of the collection is unknown. */
  boolean isDoubtful() {
    return doubtful;
  }

  synchronized boolean isToggleUnderWay() {
    return underWay > 0;
  }

  void resolved() {
    doubtful = false;
  }

  /** Resets the limits of all flows. */
  void resetFlows() {
    for (String flow : FlowBook.DEFINITIONS.keySet()) {
      int before = world.model.flowResets(flow);
      if (ask(flow, "/reset") == OK && world.model.flowResets(flow) == before) {
        world.model.found(new ViolationException(Rule.FLOW, flow + " is not reset"));
      }
    }
  }

  /** Sends a request about a flow, and returns its status. */
  private int ask(String flow, String operation) {
    Door door = world.doors.get(1);
    int[] status = new int[1];
    Await.until("a door", () -> !door.isPending());
    door.sendTo("POST", "/flows/" + flow + operation, "", code -> status[0] = code);
    Await.until("the flow", () -> !door.isPending());
    return status[0];
  }

  /** Pauses or resumes the flows, and waits until all nodes that are well know it. */
  void setFlows(boolean stops) {
    if (!stops) {
      world.model.flowsGoOn();
    }
    int done = 0;
    for (String flow : FlowBook.DEFINITIONS.keySet()) {
      done += ask(flow, stops ? "/pause" : "/resume") == OK ? 1 : 0;
    }
    world.lookAtFlows();
    world.settle();
    if (stops && done == FlowBook.DEFINITIONS.size()) {
      world.model.flowsStopped(world.clock.instant());
    }
  }

  private static String state(String state) {
    return "{\"state\":\"" + state + "\"}";
  }

  private Instant start(int seconds) {
    return world.clock.instant().truncatedTo(ChronoUnit.SECONDS).plusSeconds(seconds);
  }

  private String definition(Step step) {
    Shape shape = SHAPES.get(step.shape());
    String call =
        "{\"uri\":\"" + world.target.url(step.job(), shape.slow) + "\",\"method\":\"GET\"}";
    String retry =
        shape.retry.equals("none")
            ? "{\"retryType\":\"none\"}"
            : "{\"retryType\":\"fixed\",\"retryInterval\":\"PT2S\",\"retryCount\":1}";
    String error =
        shape.error ? ",\"errorAction\":{\"type\":\"http\",\"request\":" + call + "}" : "";
    String recurrence =
        shape.every == 0
            ? ""
            : ",\"recurrence\":{\"frequency\":\"second\",\"interval\":"
                + shape.every
                + (shape.count == 0 ? "" : ",\"count\":" + shape.count)
                + "}";
    String flow = shape.flow.isEmpty() ? "" : "\"flow\":\"" + shape.flow + "\",";
    return "{\"startTime\":\""
        + start(step.second())
        + "\",\"action\":{\"type\":\"http\","
        + flow
        + "\"request\":"
        + call
        + ",\"retryPolicy\":"
        + retry
        + error
        + "}"
        + recurrence
        + shape.late.replace('`', '"')
        + "}";
  }

  private String patch(Step step) {
    return switch (step.patch()) {
      case 0 -> state("enabled");
      case 1 -> "{\"startTime\":\"" + start(step.c()) + "\"}";
      case 2 -> "{\"action\":{\"retryPolicy\":{\"retryType\":\"none\"}}}";
      case 3 -> "{\"recurrence\":{\"interval\":3}}";
      case 4 -> state("disabled");
      case 5 -> "{\"overlap\":\"skip\"}";
      case 6 -> "{\"startWithin\":\"PT3S\"}";
      case 7 -> "{\"missed\":{\"run\":\"all\",\"max\":2}}";
      case 8 -> "{\"missed\":{\"run\":\"none\"}}";
      case 9 -> "{\"missed\":null,\"startWithin\":null}";
      default -> "{\"description\":\"" + step.c() + "\"}";
    };
  }
}
