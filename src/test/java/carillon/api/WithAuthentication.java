package carillon.api;

import carillon.support.TestCertificate;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Base of tests of jobs whose calls have an authentication. */
abstract class WithAuthentication extends WithCollection {
  static final String BASIC = "{`type`:`basic`,`username`:`u`,`password`:`canary-1`}";

  static final String OAUTH =
      "{`type`:`activeDirectoryOAuth`,`tenant`:`t`,`audience`:`https://a/`,`clientId`:`c`,"
          + "`secret`:`canary-2`}";

  static final String BEARER = "{`type`:`bearer`,`token`:`canary-5`}";

  static final String API_KEY =
      "{`type`:`apiKey`,`name`:`X-Api-Key`,`value`:`canary-6`,`in`:`query`}";

  static final String CLIENT =
      "{`type`:`oauth2ClientCredentials`,`tokenUrl`:`https://login/token`,`clientId`:`c`,"
          + "`clientSecret`:`canary-7`,`scope`:`a b`}";

  static final String PLACE = "action.request.authentication.";

  @TempDir static Path dir;
  static TestCertificate client;

  @BeforeAll
  static void makeCertificate() {
    client = TestCertificate.make(dir, "client", "canary-3");
  }

  static String request(String authentication) {
    return "{`uri`:`https://h/`,`method`:`get`,`authentication`:" + authentication + "}";
  }

  static String job(String authentication) {
    return "{`action`:{`type`:`https`,`request`:" + request(authentication) + "}}";
  }

  static String jobWithErrorAction(String main, String error) {
    String json =
        "{`action`:{`type`:`https`,`request`:%s,`errorAction`:{`type`:`https`,`request`:%s}}}";
    return json.formatted(request(main), request(error));
  }

  static String change(String authentication) {
    return "{`action`:{`request`:{`authentication`:" + authentication + "}}}";
  }

  static String certificate(TestCertificate certificate, String password) {
    return "{`type`:`clientCertificate`,`pfx`:`%s`,`password`:`%s`}"
        .formatted(certificate.base64(), password);
  }

  Answer put(String authentication) {
    return api.put(J, job(authentication));
  }

  static String authentication(Answer answer) {
    String body = answer.body();
    int from = body.indexOf("\"authentication\":");
    return from < 0
        ? "none"
        : body.substring(from + "\"authentication\":".length(), body.indexOf('}', from) + 1)
            .replace('"', '`');
  }

  static String sealed(String definition) {
    int from = definition.indexOf("sealed:");
    return definition.substring(from, definition.indexOf('"', from));
  }

  static final String NONE_STORED =
      "'***' keeps the stored value, and there is none of the same type, user and audience; give"
          + " the value itself";

  static String basic(String password) {
    return "{`type`:`basic`,`username`:`u`,`password`:`" + password + "`}";
  }
}
