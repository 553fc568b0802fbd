package carillon.benchmark;

import java.net.URI;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What is measured, against what, and for how long.
 *
 * @param url of a running scheduler; empty: one is started
 * @param redis the scheduler's Redis; empty: the embedded one of the scheduler that is started
 * @param connections of the load
 * @param warmup seconds before anything counts
 * @param acceptSeconds how long accepting is measured
 * @param herd jobs due at one instant
 * @param rate jobs per second of the steady phase
 * @param seconds length of the steady phase
 * @param nowRate jobs per second of the phase of jobs that are due at once
 * @param nowSeconds length of that phase
 * @param memoryJobs jobs stored to measure memory
 * @param lead seconds by which a job is submitted before it is due
 * @param ceilings whether the bare programs are measured as well
 * @param judged whether speed and size are compared with what the project wants
 * @param only the phases that are run
 * @param json the file that the result is written to as well
 */
record Options(
    Optional<URI> url,
    Optional<URI> redis,
    int connections,
    int warmup,
    int acceptSeconds,
    int herd,
    int rate,
    int seconds,
    int nowRate,
    int nowSeconds,
    int memoryJobs,
    int lead,
    boolean ceilings,
    boolean judged,
    Set<PhaseName> only,
    Optional<Path> json) {
  static final String USAGE =
      """
      Measures a Carillon: jobs accepted per second, a herd of jobs due at one instant, lateness at a steady rate,
      memory per job; each beside what a bare program reaches on this machine.

        --url=URL            a running scheduler on this machine (it calls back to 127.0.0.1); default: one is started
        --redis=URI          the Redis of that scheduler, or the one to give to it; default: its embedded one
        --only=PHASES        comma-separated: steady, now, herd, memory, accept, cost; default: all but cost
        --connections=64     of the load, each with one request at a time
        --warmup=20          seconds before anything counts; the first phase goes on until the compilers are quiet
        --accept-seconds=10  how long accepting is measured, in turn with the bare server
        --herd=10000         jobs due at one instant; of each kind in phase cost
        --rate=1000          jobs due per second, steadily
        --seconds=20         for how long
        --now-rate=50        jobs without startTime per second
        --now-seconds=10     for how long
        --memory-jobs=100000 jobs stored to measure memory
        --ceilings=true      false: do not measure the bare programs
        --json=FILE          write the result there as well
        --short              a smoke test of a few seconds: every job is called once, speed is not judged
        --help               this text

      Exit code: 0 measured, 1 could not measure, 2 a job was called early, twice or not at all.""";

  Options {
    only = Set.copyOf(only);
  }

  /** What is measured unless told otherwise. */
  static Options defaults() {
    return new Options(
        Optional.empty(),
        Optional.empty(),
        64,
        20,
        10,
        10_000,
        1000,
        20,
        50,
        10,
        100_000,
        5,
        true,
        true,
        EnumSet.complementOf(EnumSet.of(PhaseName.COST)),
        Optional.empty());
  }

  /** A few seconds of everything. */
  static Options smoke() {
    return new Options(
        Optional.empty(),
        Optional.empty(),
        16,
        1,
        1,
        300,
        100,
        1,
        20,
        1,
        300,
        1,
        false,
        false,
        Set.of(PhaseName.values()),
        Optional.empty());
  }
}
