package carillon.redis.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.redis.embedded.EmbeddedRedisOptions.BinarySource;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisBinaryTest {
  private static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");

  @TempDir private Path temp;

  @ParameterizedTest
  @CsvSource({
    "Linux, amd64, redis-server-7.0.15-linux-amd64",
    "Linux, aarch64, redis-server-7.0.15-linux-arm64",
    "Linux, i386, redis-server-7.0.15-linux-386",
    "Mac OS X, x86_64, redis-server-7.0.15-darwin-amd64",
    "Mac OS X, aarch64, redis-server-7.0.15-darwin-arm64",
    "Windows 11, amd64, redis-server-7.0.15-windows-amd64",
    "Linux, riscv64, redis-server-7.0.15-linux-riscv64"
  })
  void eachSystemHasItsFileInTheJar(String os, String arch, String expected) {
    assertEquals(expected, RedisBinary.resourceName(os, arch));
  }

  @ParameterizedTest
  @CsvSource({
    "redis-server-7.0.15-linux-amd64",
    "redis-server-7.0.15-linux-arm64",
    "redis-server-7.0.15-linux-386",
    "redis-server-7.0.15-darwin-amd64",
    "redis-server-7.0.15-darwin-arm64"
  })
  void theJarHasTheFile(String name) {
    assertTrue(RedisBinary.class.getResource("/" + name) != null);
  }

  @Test
  void valkeyIsTakenWhereThereIsNoRedis() throws IOException {
    Path valkey = Files.createDirectory(temp.resolve("bin")).resolve("valkey-server");
    Files.writeString(valkey, "#!/bin/sh\necho 'Valkey server v=8.0.1 sha=00000000:0 bits=64'\n");
    assertTrue(valkey.toFile().setExecutable(true));

    assertEquals(
        Optional.of(new RedisBinary(valkey, "8.0.1", false)),
        RedisBinary.onPath(valkey.getParent().toString()));
  }

  @ParameterizedTest
  @CsvSource({"sbom/redis.cdx.json", "licenses/redis.txt"})
  void scannersAndReadersOfLicencesSeeTheRedisInTheJar(String file) throws IOException {
    String name = RedisBinary.resourceName("Linux", "amd64");
    String version = name.replaceAll("redis-server-([0-9.]+)-.*", "$1");

    try (InputStream in = RedisBinary.class.getResourceAsStream("/META-INF/" + file)) {
      assertTrue(new String(in.readAllBytes(), UTF_8).contains(version));
    }
    assertTrue(RedisBinary.find(BinarySource.JAR, temp).isBundled());
  }

  @Test
  void anUnpackedProgramIsUsedAgain() throws IOException {
    Path program = RedisBinary.find(BinarySource.JAR, temp).path();
    Files.setLastModifiedTime(program, FileTime.from(LONG_AGO));

    RedisBinary.find(BinarySource.JAR, temp);

    assertEquals(LONG_AGO, Files.getLastModifiedTime(program).toInstant());
  }

  @Test
  void anUnpackedProgramThatIsDamagedIsReplaced() throws IOException {
    Path program = RedisBinary.find(BinarySource.JAR, temp).path();
    long size = Files.size(program);
    Files.write(program, new byte[(int) size]);

    assertEquals("7.0.15", RedisBinary.find(BinarySource.JAR, temp).version());
  }

  @Test
  void aProgramThatIsTooOldOrDoesNotRunIsPassedOver() throws IOException {
    Path old = fake("old", "#!/bin/sh\necho 'Redis server v=6.0.16 sha=00000000:0 bits=64'\n");
    Path broken = fake("broken", "#!/no/such/interpreter\n");
    Path valkey =
        fake("valkey", "#!/bin/sh\necho 'Valkey server v=8.0.1 sha=00000000:0 bits=64'\n");

    Optional<RedisBinary> found =
        RedisBinary.onPath(
            String.join(File.pathSeparator, temp + "/none", "" + old, "" + broken, "" + valkey));

    assertEquals(
        Optional.of(new RedisBinary(valkey.resolve("redis-server"), "8.0.1", false)), found);
  }

  private Path fake(String name, String script) throws IOException {
    Path dir = Files.createDirectory(temp.resolve(name));
    Path program = Files.writeString(dir.resolve("redis-server"), script);
    assertTrue(program.toFile().setExecutable(true));
    return dir;
  }
}
