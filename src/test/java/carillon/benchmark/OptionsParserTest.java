package carillon.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsParserTest {

  @Test
  void nothingGivenMeansTheDefaults() {
    assertEquals(Options.defaults(), parse());
  }

  @Test
  void everyValueIsTaken() {
    Options options =
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

    assertEquals(
        new Options(
            Optional.of(URI.create("http://127.0.0.1:8080")),
            Optional.of(URI.create("unix:///tmp/redis.sock")),
            8,
            1,
            2,
            3,
            4,
            5,
            6,
            7,
            9,
            Options.defaults().lead(),
            false,
            true,
            Set.of(PhaseName.HERD, PhaseName.NOW),
            Optional.of(Path.of("result.json"))),
        options);
  }

  @Test
  void shortIsWhatTheOtherOptionsChange() {
    Options options = parse("--herd=7", "--short");

    assertEquals(7, options.herd());
    assertEquals(Options.smoke().rate(), options.rate());
    assertFalse(options.judged());
  }

  @Test
  void helpIsAskedForAnywhere() {
    assertTrue(OptionsParser.wantsHelp(List.of("--herd=7", "--help")));
  }

  @Test
  void everyOptionOfTheUsageIsKnown() {
    List<String> names =
        Options.USAGE
            .lines()
            .map(String::strip)
            .filter(line -> line.startsWith("--"))
            .map(line -> line.replaceFirst("[= ].*", ""))
            .toList();

    for (String name : names) {
      if (!name.equals("--help") && !name.equals("--short")) {
        String problem =
            assertThrows(IllegalArgumentException.class, () -> parse(name + "=")).getMessage();
        assertEquals(name + " needs a value: " + name + "=...", problem);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --speed=9      | unknown option --speed (see --help)
          herd           | unknown option herd (see --help)
          --herd=        | --herd needs a value: --herd=...
          --herd=many    | --herd must be a whole number from 1 to 100000000, was 'many'
          --herd=0       | --herd must be a whole number from 1 to 100000000, was '0'
          --herd=-1      | --herd must be a whole number from 1 to 100000000, was '-1'
          --short=yes    | --short takes no value, was 'yes'
          --ceilings=no  | --ceilings must be true or false, was 'no'
          --url=here     | --url must be http://..., was 'here'
          --url=http://[ | --url must be http://..., was 'http://['
          --url=http://h | --url must name a host and a port, was 'http://h'
          --redis=file:x | --redis must be redis://... or rediss://... or unix://..., was 'file:x'
          --only=lunch   | --only knows no phase 'lunch' (see --help)
          """)
  void whatIsWrongIsSaidInOneLine(String argument, String problem) {
    assertEquals(
        problem, assertThrows(IllegalArgumentException.class, () -> parse(argument)).getMessage());
  }

  @Test
  void anOptionGivenTwiceIsRefused() {
    String problem =
        assertThrows(IllegalArgumentException.class, () -> parse("--herd=1", "--herd=2"))
            .getMessage();

    assertEquals("--herd is given twice", problem);
  }

  private static Options parse(String... arguments) {
    return OptionsParser.parse(List.of(arguments));
  }
}
