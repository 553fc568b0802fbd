package carillon.uri;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of the hosts and ports of URIs. */
class UriAuthorityTest {
  private static String read(String authority) {
    try {
      UriAuthority read = UriAuthority.of(URI.create("x://" + authority + "/p?q#f"));
      return read.host() + " " + read.port();
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "my_app:8080, my_app 8080",
    "_dmarc.example.com, _dmarc.example.com -1",
    "-a-.b-:1, -a-.b- 1",
    "2fa, 2fa -1",
    "svc.1a:9, svc.1a 9",
    "a~b!$&()*+;=c:2, a~b!$&()*+;=c 2",
    "Example.COM., Example.COM. -1",
    "user:secret@my_app:8080, my_app 8080",
    "a:, a -1",
    "[::1]:80, ::1 80",
    "[2001:db8::7], 2001:db8::7 -1",
    "%61pp%5F1:5, app_1 5",
    "www.köln.example, www.xn--kln-sna.example -1",
    "www.k%C3%B6ln.example:81, www.xn--kln-sna.example 81",
    "WWW.KÖLN.example, www.xn--kln-sna.example -1",
    "日本。example, xn--wgv71a.example -1",
    "１２７.0.0.１, 127.0.0.1 -1",
    "%31%32%37.0.0.1, 127.0.0.1 -1",
  })
  void everyNameOfAUriIsTaken(String authority, String expected) {
    assertEquals(expected, read(authority));
  }

  @ParameterizedTest
  @CsvSource({
    "a%2Fb, must name a host; '/' cannot be in one",
    "a%40b, must name a host; '@' cannot be in one",
    "a%3A80, must name a host; ':' cannot be in one",
    "a%0D%0AX:1, must name a host; U+000D cannot be in one",
    "a%00, must name a host; U+0000 cannot be in one",
    "a%20b, must name a host; U+0020 cannot be in one",
    "a%2561, must name a host; '%' cannot be in one",
    "a%23b, must name a host; '#' cannot be in one",
    "%5B::1%5D, must name a host; '[' cannot be in one",
    "a%FF, must name a host; its escapes must be UTF-8",
    "℀.example, must name a host; '/' cannot be in one",
    "a：80.example, must name a host; ':' cannot be in one",
    "a:0, port 0 is not in 1..65535",
    "a_b:65536, port 65536 is not in 1..65535",
    "a_b:x, port x is not in 1..65535",
    "a_b:1:2, port 1:2 is not in 1..65535",
    ":80, must name a host",
    "straße.example, must have its host in the form xn--...; versions of IDNA differ about 'ß'",
  })
  void whatNoNameMayHoldIsRefused(String authority, String expected) {
    assertEquals(expected, read(authority).replace("ℂ", "C"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"x:/p", "x:p"})
  void anAuthorityIsNeeded(String uri) {
    assertEquals(true, UriAuthority.find(URI.create(uri)).isEmpty());
  }

  @Test
  void aLabelThatIsTooLongForDnsIsNoNameOfIdna() {
    assertEquals(
        "must have its host in the form xn--...; IDNA cannot convert it",
        read("ö".repeat(64) + ".example"));
  }
}
