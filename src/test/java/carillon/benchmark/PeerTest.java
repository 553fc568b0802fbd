package carillon.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("redis")
class PeerTest {
  @TempDir Path parent;

  @Test
  void aFolderIsReadWithItsDefaultVariant() throws IOException {
    Peer peer =
        Peer.read(
            folder(
                "quick",
                """
                {"title": "Quick 1.2", "store": "redis", "run": "start.sh", "ready": "${READY:-/up}",
                 "submit": "submit.http", "build": "build.sh",
                 "variants": {
                   "default": {"env": {"WORKERS": "2"}, "store": {"conf": ["--io-threads", "1"]}},
                   "other": {"env": {"WORKERS": "9"}}}}
                """),
            Map.of());

    assertEquals("quick", peer.name());
    assertEquals("Quick 1.2", peer.title());
    assertEquals(Peer.Store.REDIS, peer.store());
    assertEquals(parent.resolve("quick/start.sh"), peer.run());
    assertEquals("/up", peer.ready());
    assertEquals(Map.of("WORKERS", "2"), peer.environment());
    assertEquals(List.of("io-threads 1"), peer.storeSettings());
  }

  @Test
  void whatIsNotSaidHasDefaults() throws IOException {
    Peer peer = Peer.read(folder("plain", "{}"), Map.of());

    assertEquals("plain", peer.title());
    assertEquals(Peer.Store.NONE, peer.store());
    assertEquals(parent.resolve("plain/run.sh"), peer.run());
    assertEquals(List.of(), peer.storeSettings());
  }

  @Test
  void onlyFoldersWithADescriptionArePeers() throws IOException {
    folder("b", "{}");
    folder("a", "{}");
    Files.createDirectory(parent.resolve("notes"));

    assertEquals(List.of(parent.resolve("a"), parent.resolve("b")), Peer.folders(parent));
  }

  @Test
  void anUnknownStoreIsRefused() throws IOException {
    Path folder = folder("strange", "{\"store\": \"paper\"}");

    assertThrows(IllegalArgumentException.class, () -> Peer.read(folder, Map.of()));
  }

  @Test
  void aMissingTemplateIsNamed() throws IOException {
    Path folder = folder("bare", "{\"submit\": \"none.http\"}");

    String said =
        assertThrows(UncheckedIOException.class, () -> Peer.read(folder, Map.of())).getMessage();
    assertTrue(said.contains("bare"), said);
  }

  @Test
  void oneThatEndsAtOnceIsNotStartedAndSaysWhy() throws IOException {
    Path folder = folder("broken", "{}");
    Files.writeString(folder.resolve("run.sh"), "echo no licence; exit 3");
    Peer peer = Peer.read(folder, Map.of());

    String said =
        assertThrows(IllegalStateException.class, () -> RunningPeer.start(peer, 1)).getMessage();
    assertTrue(said.startsWith("broken ended before it was ready"), said);
    assertTrue(said.contains("no licence"), said);
  }

  @Test
  void ourOwnFolderIsReadable() {
    Peer peer = Peer.read(Comparison.OURS, Map.of());

    assertEquals(Peer.Store.REDIS, peer.store());
    assertTrue(Files.isRegularFile(peer.run()));
  }

  private Path folder(String name, String description) throws IOException {
    Path folder = Files.createDirectory(parent.resolve(name));
    Files.writeString(folder.resolve("peer.json"), description);
    Files.writeString(folder.resolve("submit.http"), "GET /{id} HTTP/1.1\n");
    return folder;
  }
}
