package carillon.api.classic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class XmlElementTest {
  private static XmlElement parse(String document) {
    return XmlElement.parse(document.getBytes(StandardCharsets.UTF_8), "Resource");
  }

  private static String refusal(byte[] document) {
    JobException refusal =
        assertThrows(JobException.class, () -> XmlElement.parse(document, "Resource"));
    assertEquals(ErrorCode.INVALID, refusal.code());
    return refusal.getMessage();
  }

  private static String refusal(String document) {
    return refusal(document.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<Resource><Label>a</Label></Resource>",
        "<resource><LABEL>a</LABEL></resource>",
        "<x:Resource xmlns:x='urn:any'><x:Label>a</x:Label></x:Resource>",
        "<Resource xmlns='urn:any'><Label xmlns=''>a</Label></Resource>",
        "\uFEFF<Resource><Label>a</Label></Resource>",
        "<?xml version='1.0' encoding='utf-8'"
            + " standalone='yes'?><Resource><Label>a</Label></Resource>",
        "<Resource><!-- c --><?p i?> <Label> <![CDATA[a]]><!-- c --> </Label> </Resource>",
        "<Resource><Label>&#97;</Label><Other><Label>b</Label></Other></Resource>",
        "<Resource xmlns:i='http://www.w3.org/2001/XMLSchema-instance'><Label"
            + " i:nil='true'/><Label>a</Label></Resource>",
      })
  void namespacesCaseCommentsAndNilDoNotCount(String document) {
    assertEquals("a", parse(document).text("Label").orElseThrow());
  }

  @Test
  void theFiveEntitiesOfXmlItselfAreKnown() {
    assertEquals("<>&\"'", parse("<Resource>&lt;&gt;&amp;&quot;&apos;</Resource>").text());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``                                   | Malformed XML: it is empty; a Resource element is"
            + " expected",
        "` `                                  | Malformed XML: it is empty; a Resource element is"
            + " expected",
        "{\"a\":1}                            | Malformed XML: it is not well-formed at line 1,"
            + " column 1",
        "<Resource>                           | Malformed XML: it is not well-formed at line 1,"
            + " column 11",
        "<Resource></resource>                | Malformed XML: it is not well-formed at line 1,"
            + " column 13",
        "<Resource/><Resource/>               | Malformed XML: it is not well-formed at line 1,"
            + " column 13",
        "<Resource a='1' a='2'/>              | Malformed XML: it is not well-formed at line 1,"
            + " column 24",
        "<Resource>&nbsp;</Resource>          | Malformed XML: it is not well-formed at line 1,"
            + " column 17",
        "<Resource>&#0;</Resource>            | Malformed XML: it is not well-formed at line 1,"
            + " column 15",
        "<x:Resource/>                        | Malformed XML: it is not well-formed at line 1,"
            + " column 14",
        "<Job/>                               | Malformed XML: the root element is 'Job'; it must"
            + " be Resource",
        "<?xml version='1.0' encoding='utf-16'?><Resource/> | Malformed XML: it declares the"
            + " encoding 'utf-16'; use UTF-8",
        "<!DOCTYPE Resource><Resource/>       | Malformed XML: document types and entities of one's"
            + " own are not allowed",
      })
  void whatIsNoSuchDocumentIsRefused(String document, String message) {
    assertEquals(message, refusal(document));
  }

  @Test
  void anotherEncodingIsRefused() {
    String document = "<Resource>\u00e4</Resource>";

    assertEquals(
        "Malformed XML: it is not UTF-8", refusal(document.getBytes(StandardCharsets.ISO_8859_1)));
    assertTrue(refusal(document.getBytes(StandardCharsets.UTF_16)).startsWith("Malformed XML: "));
    assertTrue(refusal(document.getBytes(Charset.forName("UTF-32"))).startsWith("Malformed XML: "));
  }

  @Test
  void aBillionLaughsAreNotLaughed() {
    StringBuilder dtd = new StringBuilder("<!DOCTYPE r [<!ENTITY a0 \"ha\">");
    for (int i = 1; i < 10; i++) {
      dtd.append("<!ENTITY a").append(i).append(" \"").append(("&a" + (i - 1) + ";").repeat(10));
      dtd.append("\">");
    }

    String document = dtd + "]><Resource>&a9;</Resource>";

    assertEquals(
        "Malformed XML: document types and entities of one's own are not allowed",
        refusal(document));
  }

  @Test
  void nothingOutsideTheDocumentIsRead(@TempDir Path dir) throws IOException {
    Path secret = Files.writeString(dir.resolve("secret"), "s3cret");
    try (ServerSocket server = new ServerSocket(0)) {
      server.setSoTimeout(1);
      String web = "http://127.0.0.1:" + server.getLocalPort() + "/x.dtd";

      String file =
          refusal(
              "<!DOCTYPE r [<!ENTITY x SYSTEM \""
                  + secret.toUri()
                  + "\">]><Resource><Label>&x;</Label></Resource>");
      String external = refusal("<!DOCTYPE r SYSTEM \"" + web + "\"><Resource/>");
      String parameter =
          refusal("<!DOCTYPE r [<!ENTITY % p SYSTEM \"" + web + "\"> %p;]><Resource/>");

      assertEquals(file, external);
      assertEquals(file, parameter);
      assertThrows(java.net.SocketTimeoutException.class, server::accept);
    }
  }

  @Test
  void whatIsTooLargeOrTooDeepIsRefused() {
    String large = "<Resource>" + "a".repeat(64 * 1024) + "</Resource>";
    String deep = "<Resource>".repeat(17) + "</Resource>".repeat(17);

    assertEquals("Malformed XML: 65557 bytes are more than the 65536 allowed", refusal(large));
    assertEquals("Malformed XML: it is nested deeper than 16 levels", refusal(deep));
    assertEquals(
        "", parse(deep.replaceFirst("<Resource>", "").replaceFirst("</Resource>", "")).text());
  }

  /** Any input gives a tree or a refusal. */
  @Test
  void noiseIsRefusedOrRead() {
    String document =
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><Resource"
            + " xmlns=\"http://schemas.microsoft.com/windowsazure\">"
            + "<IntrinsicSettings><Plan>Free</Plan></IntrinsicSettings></Resource>";
    String alphabet = "<>/!?[]&;%\"'=-:x \u0000\u0001\u00e4\uFFFE#1DOCTYPE";
    for (int seed = 0; seed < 20_000; seed++) {
      Random random = new Random(seed);
      StringBuilder noisy = new StringBuilder(document);
      for (int i = random.nextInt(4); i >= 0; i--) {
        int at = random.nextInt(noisy.length());
        noisy.setCharAt(at, alphabet.charAt(random.nextInt(alphabet.length())));
      }
      byte[] bytes = noisy.toString().getBytes(StandardCharsets.UTF_8);
      if (random.nextInt(4) == 0) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        XmlElement.parse(bytes, "Resource");
      } catch (JobException refusal) {
        assertEquals(ErrorCode.INVALID, refusal.code());
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + noisy, e);
      }
    }
  }
}
