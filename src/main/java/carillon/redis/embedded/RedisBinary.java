package carillon.redis.embedded;

import carillon.redis.embedded.EmbeddedRedisOptions.BinarySource;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Program redis-server, or that of Valkey, that runs on this machine.
 *
 * @param path path of the program
 * @param version version that it reports, for example 7.0.15
 * @param isBundled whether it is the one in our jar, which nobody updates
 */
record RedisBinary(Path path, String version, boolean isBundled) {
  private static final String NAME = "redis-server";
  private static final List<String> NAMES = List.of(NAME, "valkey-server");
  private static final Pattern VERSION = Pattern.compile("v=((\\d+)\\.\\S+)");
  private static final int MIN_MAJOR = 7;
  private static final String WHAT_TO_DO =
      ": install redis-server or valkey-server 7.0 or newer, or set CARILLON_REDIS_URI to a Redis that runs elsewhere";

  private static final int ATTEMPTS = 5;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Finds a program; one from the jar is unpacked into {@code unpackDir} first. */
  static RedisBinary find(BinarySource source, Path unpackDir) {
    return switch (source) {
      case PATH ->
          onPath()
              .orElseThrow(
                  () -> none("there is no redis-server or valkey-server 7.0 or newer on the PATH"));
      case JAR -> fromJar(unpackDir);
      case ANY -> onPath().orElseGet(() -> fromJar(unpackDir));
    };
  }

  private static Optional<RedisBinary> onPath() {
    return onPath(Optional.ofNullable(System.getenv("PATH")).orElse(""));
  }

  /** The first program of {@code searchPath} that runs and is new enough. */
  static Optional<RedisBinary> onPath(String searchPath) {
    String[] dirs = searchPath.split(Pattern.quote(File.pathSeparator), -1);
    return NAMES.stream()
        .flatMap(name -> Arrays.stream(dirs).map(dir -> Path.of(dir, name).toAbsolutePath()))
        .filter(candidate -> Files.isRegularFile(candidate) && Files.isExecutable(candidate))
        .flatMap(candidate -> probe(candidate, false).stream())
        .findFirst();
  }

  private static RedisBinary fromJar(Path unpackDir) {
    String resource = resourceName(System.getProperty("os.name"), System.getProperty("os.arch"));
    try (InputStream in = RedisBinary.class.getResourceAsStream("/" + resource)) {
      if (in == null) {
        throw none("there is no embedded Redis for this system (" + resource + ")");
      }
      Path unpacked = unpack(in.readAllBytes(), unpackDir, resource);
      return probeUnpacked(unpacked)
          .orElseThrow(() -> none(unpacked + " does not run on this system"));
    } catch (IOException e) {
      throw new EmbeddedRedisException("cannot unpack " + resource + " to " + unpackDir, e);
    }
  }

  /** The file in the jar for a system, named the way the jar names them. */
  static String resourceName(String osName, String osArch) {
    String os = osName.toLowerCase(Locale.ROOT);
    String family = os.startsWith("mac") ? "darwin" : os.startsWith("windows") ? "windows" : os;
    String arch =
        switch (osArch) {
          case "x86_64", "amd64" -> "amd64";
          case "aarch64", "arm64" -> "arm64";
          case "x86", "i386", "i486", "i586", "i686" -> "386";
          default -> osArch;
        };
    return NAME + "-7.0.15-" + family + "-" + arch;
  }

  /**
   * Unpacks a file. If it already has the right content, it is left alone. Otherwise a new file is
   * written beside it and moved, so nobody sees a partial file.
   */
  private static Path unpack(byte[] content, Path dir, String name) throws IOException {
    Path target = dir.resolve(name);
    if (!isSame(target, content)) {
      Files.createDirectories(dir);
      Path half = Files.write(dir.resolve(name + ".new"), content);
      Files.move(half, target, StandardCopyOption.REPLACE_EXISTING);
    }
    if (!Files.isExecutable(target) && !target.toFile().setExecutable(true)) {
      throw new IOException("cannot make " + target + " executable");
    }
    return target;
  }

  private static boolean isSame(Path file, byte[] content) throws IOException {
    return Files.isRegularFile(file)
        && Files.size(file) == content.length
        && Arrays.equals(Files.readAllBytes(file), content);
  }

  /**
   * Probes an unpacked program more than once. A new file cannot be run (ETXTBSY) while a process
   * that another thread has just started still has it open.
   */
  private static Optional<RedisBinary> probeUnpacked(Path program) {
    Optional<RedisBinary> found = probe(program, true);
    for (int i = 1; i < ATTEMPTS && found.isEmpty(); i++) {
      LockSupport.parkNanos(PAUSE_NANOS);
      found = probe(program, true);
    }
    return found;
  }

  /** Asks a program for its version; empty when it does not run or is too old. */
  private static Optional<RedisBinary> probe(Path program, boolean isBundled) {
    try {
      Process process =
          new ProcessBuilder(program.toString(), "--version").redirectErrorStream(true).start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      Matcher matcher = VERSION.matcher(said);
      return matcher.find() && Integer.parseInt(matcher.group(2)) >= MIN_MAJOR
          ? Optional.of(new RedisBinary(program, matcher.group(1), isBundled))
          : Optional.empty();
    } catch (IOException e) {
      return Optional
          .empty(); // for example a script without an interpreter, or another processor's
    }
  }

  private static EmbeddedRedisException none(String what) {
    return new EmbeddedRedisException(what + WHAT_TO_DO);
  }
}
