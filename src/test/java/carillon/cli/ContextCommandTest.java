package carillon.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.ApiKeyToken;
import carillon.api.ApiServer;
import carillon.cli.CarillonCommands.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Test of named servers. */
@Tag("redis")
class ContextCommandTest {
  @TempDir Path dir;

  private Path file;

  @BeforeEach
  void setUp() {
    file = dir.resolve("of/carillon/contexts.yaml");
  }

  private Run type(String... words) {
    String[] all = java.util.Arrays.copyOf(words, words.length + 1);
    all[words.length] = "--context-file=" + file;
    return CarillonCommands.typeBare(all);
  }

  private String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private void write(String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void contextsAreSetUsedListedAndDeleted() throws IOException {
    assertEquals("CONTEXT  IN USE  URL  KEY  GROUP\n", type("context", "list").ok().out());
    assertEquals(
        "prod created, in use\n",
        type("context", "set", "prod", "--url=https://carillon.example", "--key=s3cret")
            .ok()
            .out());
    assertEquals(
        "test created\n",
        type(
                "context",
                "set",
                "test",
                "--url=http://10.0.0.5:8080",
                "--subscription=s1",
                "--group=g1")
            .ok()
            .out());
    assertEquals("test in use\n", type("context", "use", "test").ok().out());
    assertEquals("prod changed\n", type("context", "set", "prod", "--group=g2").ok().out());
    assertEquals(
        """
        CONTEXT  IN USE  URL                       KEY  GROUP
        prod     -       https://carillon.example  yes  default/g2
        test     yes     http://10.0.0.5:8080      -    s1/g1
        """,
        type("contexts", "list").ok().out());
    assertEquals("rw-------", mode(file));
    assertEquals("rwx------", mode(file.getParent()));
    assertTrue(Files.readString(file).contains("s3cret"));
    assertEquals("prod deleted\n", type("context", "delete", "prod").ok().out());
    assertFalse(Files.readString(file).contains("s3cret"));
    assertEquals("test\n", type("context", "list", "-o", "name").ok().out());
  }

  @Test
  void keysAreNeverShown() throws IOException {
    Path key = Files.writeString(dir.resolve("deploy.key"), "s3cret\n");
    Run set = type("context", "set", "prod", "--url=https://h", "--key-file=" + key, "--json").ok();

    assertFalse(set.toString().contains("s3cret"), set::toString);
    for (String form : new String[] {"table", "wide", "json", "yaml", "name"}) {
      Run list = type("context", "list", "-o", form).ok();
      assertFalse(list.toString().contains("s3cret"), list::toString);
    }
    type("context", "list", "--json").ok().assertOut("\"hasKey\":true");
  }

  @Test
  void aFileThatOthersMayReadIsRefused() throws IOException {
    type("context", "set", "prod", "--url=https://h", "--key=s3cret").ok();
    for (String open : new String[] {"rw-r-----", "rw----r--", "rw--w----"}) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(open));

      Run run = type("jobs", "list");

      assertEquals(2, run.code());
      assertEquals(
          "carillon: "
              + file
              + " holds API keys and is open to others ("
              + open
              + "): chmod 600 "
              + file
              + "\n",
          run.err());
    }
  }

  @Test
  void aFileThatCannotBeUnderstoodIsRefusedWithoutQuotingIt() throws IOException {
    String[][] wrong = {
      {"contexts:\n  prod: {url: https://h, key: \"s3cret\n", "is not YAML at line "},
      {"contexts: {prod: {ulr: s3cret}}\n", "there is no contexts.prod.ulr; known are url, key"},
      {"key: s3cret\n", "there is no key; known are current, contexts"},
      {"contexts: {prod: s3cret}\n", "contexts.prod must be a map"},
      {"s3cret\n", "it must be a map"},
      {"current: gone\ncontexts: {prod: {url: 'https://h'}}\n", "there is no context 'gone'"},
    };
    for (String[] each : wrong) {
      write(each[0]);

      Run run = type("jobs", "list");

      assertEquals(2, run.code(), run::toString);
      run.assertErr(each[1]);
      assertFalse(run.err().contains("s3cret"), run::err);
      assertEquals(1, run.err().lines().count(), run::err);
    }
  }

  @Test
  void whatContradictsItselfIsRefused() {
    type("context", "set", "prod", "--url=https://h", "--key=s3cret").ok();
    String[][] mistakes = {
      {"give one of --url and --context", "jobs", "list", "--url=http://h", "--context=prod"},
      {"did you mean 'prod'?", "jobs", "list", "--context", "prd"},
      {"did you mean 'prod'?", "context", "use", "prods"},
      {"did you mean 'prod'?", "context", "delete", "pro"},
      {"needs the address of its server", "context", "set", "new", "--key=k"},
      {"--url must be http://", "context", "set", "new", "--url=ftp://h"},
      {"the API key must be one word", "context", "set", "prod", "--key=two words"},
      {"must be letters", "context", "set", "a b", "--url=http://h"},
      {"--group must be letters", "context", "set", "prod", "--group=a/b"},
      {"is for another server; give the new key", "context", "set", "prod", "--url=https://other"},
      {"name the context without an option here", "context", "set", "x", "--context=prod"},
    };
    for (String[] mistake : mistakes) {
      Run run = type(java.util.Arrays.copyOfRange(mistake, 1, mistake.length));

      assertEquals(2, run.code(), run::toString);
      run.assertErr(mistake[0]);
    }
  }

  @Test
  void commandsSpeakToTheServerAndTheGroupOfTheContext() {
    ApiKeyToken key = ApiKeyToken.random();
    try (ApiServer closed = new ApiServer(ApiServer.keys(key));
        ApiServer open = new ApiServer()) {
      open.put("/groups/s1/g1/flows/vendor", "{}").assertStatus(201);
      String closedUrl = "http://127.0.0.1:" + closed.port();
      String openUrl = "http://127.0.0.1:" + open.port();
      type("context", "set", "closed", "--url=" + closedUrl, "--key=" + key.reveal()).ok();
      type("context", "set", "open", "--url=" + openUrl, "--subscription=s1", "--group=g1").ok();

      assertEquals("", type("flows", "list", "-o", "name").ok().out());
      assertEquals("vendor\n", type("--context=open", "flows", "list", "-o", "name").ok().out());
      assertEquals(
          "", type("flows", "list", "--context=open", "--group=g2", "-o", "name").ok().out());
      // The key of a context is only for its own server.
      Run elsewhere = type("flows", "list", "--url=" + closedUrl);
      assertEquals(1, elsewhere.code());
      elsewhere.assertErr("401");
      assertEquals(1, type("flows", "list", "--context=closed", "--key=wrong").code());
    }
  }
}
