package carillon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.DataInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class LauncherTest {
  private static final int JAVA_8 = 52;

  @Test
  void anOldJavaCanLoadIt() throws IOException {
    try (DataInputStream file =
        new DataInputStream(Launcher.class.getResourceAsStream("Launcher.class"))) {
      assertEquals(0xCAFEBABE, file.readInt());
      file.readUnsignedShort();
      assertEquals(JAVA_8, file.readUnsignedShort());
    }
  }

  @Test
  void anOldJavaIsToldWhatItTakes() {
    assertEquals(
        "carillon: needs Java 17 or newer; this is Java 8 in /jdk8",
        Launcher.refusal("1.8", "/jdk8"));
    assertEquals(
        "carillon: needs Java 17 or newer; this is Java 11 in /jdk11",
        Launcher.refusal("11", "/jdk11"));
    assertEquals("", Launcher.refusal("17", "/jdk17"));
    assertEquals("", Launcher.refusal("25", "/jdk25"));
  }
}
