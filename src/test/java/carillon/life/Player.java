package carillon.life;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Performs steps in a world, and lets the world settle after each. */
final class Player {
  private static final Duration MINUTE_OR_SO = Duration.ofSeconds(50);
  private static final Duration PART_OF_A_LEASE = Duration.ofSeconds(8);
  private static final int LONG_PARTS = 4;

  /** Patience for a failed report: a node repeats it some ms later, by the real clock. */
  private static final Duration TOLD_AGAIN = Duration.ofSeconds(2);

  private final World world;
  private final Requests requests;
  private final Rest rest;
  private final boolean hasFlows;

  Player(World world, Theme theme) {
    this.world = world;
    this.hasFlows = theme.hasFlows();
    this.requests = new Requests(world);
    this.rest = new Rest(world, requests, hasFlows);
  }

  /** Performs a step. Throws a {@link ViolationException} if the step reveals one. */
  void perform(Step step) {
    if (step.kind() == Step.Kind.REST) {
      rest.come();
      return;
    }
    if (step.kind() == Step.Kind.SET_BREAKER) {
      world.putFlows(Map.of(BreakerBook.FLOW, BreakerBook.definition(step.breaker())));
    } else if (step.kind() == Step.Kind.RESET_FLOWS) {
      requests.resetFlows();
    } else if (step.kind() == Step.Kind.STOP_FLOWS || step.kind() == Step.Kind.RESUME_FLOWS) {
      requests.setFlows(step.kind() == Step.Kind.STOP_FLOWS);
    } else if (step.kind().isRequest()) {
      requests.send(step);
    } else {
      act(step);
    }
    world.settle();
    if (hasFlows && step.kind() == Step.Kind.POLL) {
      lookedAtFlows();
    }
    world.model.check();
  }

  private void lookedAtFlows() {
    List<String> well = world.nodes.stream().filter(Node::isWell).map(Node::id).toList();
    world.model.flowsLooked(well);
    long end = System.nanoTime() + TOLD_AGAIN.toNanos();
    while (!world.model.isTold(well) && System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    world.model.flowsTold(well);
  }

  /** Lets all activity finish at the end, and checks all rules that apply then. */
  void end() {
    rest.come();
    rest.checkPlaces();
    world.model.check();
  }

  private void act(Step step) {
    Node node = world.node(step.a());
    switch (step.kind()) {
      case GO -> door().release(Wire.Way.FORWARD);
      case LOSE_REQUEST -> door().release(Wire.Way.LOST_REQUEST);
      case LOSE_ANSWER -> door().release(Wire.Way.LOST_ANSWER);
      case POLL -> {
        if (hasFlows) {
          world.lookAtFlows();
        }
        world.poll();
      }
      case TIDY -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(330));
      case RESTART_REDIS -> world.restartRedis();
      case SLOW -> world.target.hold();
      case ANSWER_ONE -> world.target.answerOne();
      case ANSWER_ALL -> world.target.release();
      case FAIL -> world.target.fail(step.job());
      case RETRY_AFTER -> world.target.ask(step.job(), step.ask());
      case SUCCEED -> world.target.succeed();
      case AWAIT -> world.milestones.await(step.milestone());
      case HOLD_NODE, LOSE_NODE, GO_NODE -> wire(step, node);
      case CUT, PAUSE, RESUME, DIE, START -> fate(step, node);
      default -> time(step);
    }
  }

  private Wire door() {
    return world.doors.get(0).wire();
  }

  private static void wire(Step step, Node node) {
    if (node.isDead()) {
      return;
    }
    switch (step.kind()) {
      case HOLD_NODE -> {
        if (!node.wire().isHolding()) {
          node.wire().hold(step.command()::equals, 1);
        }
      }
      case LOSE_NODE -> node.wire().lose(step.command()::equals, step.way());
      default -> node.wire().release(isLost(step) ? step.way() : Wire.Way.FORWARD);
    }
  }

  private static boolean isLost(Step step) {
    return step.c() % 3 < 2 && step.b() % 3 == 0;
  }

  private static void fate(Step step, Node node) {
    if (step.kind() == Step.Kind.START) {
      node.start();
    } else if (!node.isDead()) {
      switch (step.kind()) {
        case CUT -> node.cut();
        case PAUSE -> node.pause();
        case DIE -> node.kill();
        default -> {
          node.resume();
          node.beat();
        }
      }
    }
  }

  private void time(Step step) {
    switch (step.kind()) {
      case FORWARD -> world.forward(Duration.ofSeconds(step.c()));
      case FORWARD_LONG -> {
        for (int i = 0; i < LONG_PARTS; i++) {
          world.pass(MINUTE_OR_SO, PART_OF_A_LEASE);
          if (hasFlows) {
            world.lookAtFlows();
          }
          world.settle();
        }
      }
      case TO_THE_SECOND -> {
        Instant now = world.clock.instant();
        Instant next = now.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
        world.forward(Duration.between(now, next));
      }
      case BACK ->
          world.witness.setBack(() -> world.clock.advance(Duration.ofMillis(-150L * step.c())));
      case BACK_LONG ->
          world.witness.setBack(() -> world.clock.step(Duration.ofSeconds(-7L * step.c())));
      case PURGE -> {
        world.clock.step(Node.KEPT.plusMinutes(1));
        world.nodes.forEach(Node::beat);
        world.poll();
      }
      default -> throw new IllegalArgumentException(step.toString());
    }
  }
}
