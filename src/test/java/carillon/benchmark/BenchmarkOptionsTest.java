package carillon.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ParameterException;

@Tag("redis")
class BenchmarkOptionsTest {
  @Test
  void nothingGivenMeansTheDefaults() {
    BenchmarkOptions options = parse();

    assertEquals(Optional.empty(), options.url);
    assertEquals(EnumSet.complementOf(EnumSet.of(Phase.COST)), options.only);
    assertEquals(10_000, options.herd);
    assertTrue(options.ceilings());
    assertTrue(options.judged());
  }

  @Test
  void everyValueIsTaken() {
    BenchmarkOptions options =
        parse(
            "--url=http://127.0.0.1:8080",
            "--redis=unix:///tmp/redis.sock",
            "--connections=8",
            "--warmup=1",
            "--accept-seconds=2",
            "--herd=3",
            "--rate=4",
            "--seconds=5",
            "--now-rate=6",
            "--now-seconds=7",
            "--memory-jobs=9",
            "--ceilings=false",
            "--only=herd,now",
            "--json=result.json");

    assertEquals(Optional.of(URI.create("http://127.0.0.1:8080")), options.url);
    assertEquals(Optional.of(URI.create("unix:///tmp/redis.sock")), options.redis);
    assertEquals(8, options.connections);
    assertEquals(1, options.warmup);
    assertEquals(2, options.acceptSeconds);
    assertEquals(3, options.herd);
    assertEquals(4, options.rate);
    assertEquals(5, options.seconds);
    assertEquals(6, options.nowRate);
    assertEquals(7, options.nowSeconds);
    assertEquals(9, options.memoryJobs);
    assertFalse(options.ceilings());
    assertEquals(Set.of(Phase.HERD, Phase.NOW), options.only);
    assertEquals(Optional.of(Path.of("result.json")), options.json);
  }

  @Test
  void shortIsWhatTheOtherOptionsChange() {
    BenchmarkOptions options = parse("--herd=7", "--short");

    assertEquals(7, options.herd);
    assertEquals(100, options.rate);
    assertEquals(EnumSet.allOf(Phase.class), options.only);
    assertFalse(options.judged());
  }

  @Test
  void aComparisonHasItsOwnDefaults() {
    BenchmarkOptions options = parse("--compare", "--peers=peers", "--schedulers=carillon,quick");

    assertEquals(Optional.of(Path.of("peers")), options.comparison.peers);
    assertEquals(List.of("carillon", "quick"), options.comparison.schedulers);
    assertFalse(options.comparison.cold);
    assertEquals(Set.of(Phase.ACCEPT, Phase.HERD, Phase.STEADY, Phase.NOW), options.only);
    assertEquals(200, options.nowRate);
    assertNull(parse().comparison);
  }

  @Test
  void theHelpShowsTheDefaults() {
    String help = BenchmarkOptions.commandLine(new Benchmark()).getUsageMessage();

    for (String option : Set.of("--accept-seconds=10", "--herd=10000", "--short", "--json=FILE")) {
      assertTrue(help.contains(option), help);
    }
    assertTrue(help.contains("steady, now, herd, memory, accept, cost"), help);
    assertTrue(help.lines().allMatch(line -> line.length() <= 120), help);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --herd=many    | must be a whole number from 1 to 99999999, was 'many'
          --herd=0       | must be a whole number from 1 to 99999999, was '0'
          --herd=-1      | must be a whole number from 1 to 99999999, was '-1'
          --url=here     | must be http://HOST:PORT, was 'here'
          --url=http://h | must be http://HOST:PORT, was 'http://h'
          """)
  void aWrongValueIsSaidInOneLine(String argument, String problem) {
    String said = assertThrows(ParameterException.class, () -> parse(argument)).getMessage();

    assertTrue(said.endsWith(problem), said);
    assertTrue(said.contains(argument.substring(0, argument.indexOf('='))), said);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--speed=9",
        "--url=http://[",
        "--redis=[",
        "herd",
        "--herd",
        "--short=yes",
        "--ceilings=no",
        "--only=lunch",
        "--rate=1 --rate=2",
        "--peers=peers",
        "--cold"
      })
  void whatIsNotUnderstoodIsRefused(String arguments) {
    assertThrows(ParameterException.class, () -> parse(arguments.split(" ", -1)));
  }

  private static BenchmarkOptions parse(String... arguments) {
    BenchmarkOptions options = new BenchmarkOptions();
    BenchmarkOptions.commandLine(options, arguments).parseArgs(arguments);
    return options;
  }
}
