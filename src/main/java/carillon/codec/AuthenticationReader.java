package carillon.codec;

import carillon.job.Authentication;
import carillon.job.Authentication.ActiveDirectoryOAuth;
import carillon.job.Authentication.Basic;
import carillon.job.Authentication.Certificate;
import carillon.job.Authentication.ClientCertificate;
import carillon.job.JobException;
import carillon.job.Secret;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads how an HTTP call proves who calls. No message quotes a secret. */
final class AuthenticationReader {
  private static final String USERNAME = "username";
  private static final String PASSWORD = "password";
  private static final String TENANT = "tenant";
  private static final int LONGEST_NAME = 1024;

  /** The last four are answered, and ignored when they come back. */
  private static final Set<String> KNOWN_OF_CERTIFICATE =
      Set.of(
          "type",
          "pfx",
          PASSWORD,
          "certificateThumbprint",
          "certificateExpiration",
          "certificateExpirationDate",
          "certificateSubjectName");

  private static final Set<String> KNOWN_OF_BASIC = Set.of("type", USERNAME, PASSWORD);
  private static final Set<String> KNOWN_OF_OAUTH =
      Set.of("type", TENANT, "audience", "clientId", "secret");

  /** A GUID or a domain: it becomes a part of the authority's path. */
  private static final Pattern TENANT_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,254}");

  private enum Type {
    BASIC("basic"),
    CERTIFICATE("clientCertificate"),
    OAUTH("activeDirectoryOAuth");

    private final String word;

    Type(String word) {
      this.word = word;
    }
  }

  private static final Words<Type> TYPES = Words.of(Stream.of(Type.values()), type -> type.word);

  private final Dialect dialect;

  AuthenticationReader(Dialect dialect) {
    this.dialect = dialect;
  }

  Authentication read(Fields fields) {
    return switch (fields.requiredWord("type", TYPES)) {
      case BASIC -> basic(fields);
      case CERTIFICATE -> certificate(fields);
      case OAUTH -> oauth(fields);
    };
  }

  private Basic basic(Fields fields) {
    fields.allowOnly(KNOWN_OF_BASIC, dialect);
    String username = name(fields, USERNAME);
    Secret password = secret(fields, PASSWORD);
    if (dialect != Dialect.STORED) {
      if (username.indexOf(':') >= 0) {
        throw fields.refusal(USERNAME, "must not hold a colon");
      }
      if (!password.isKept() && password.text().chars().anyMatch(Character::isISOControl)) {
        throw JobException.invalid(fields.place(PASSWORD) + ": must not hold control characters");
      }
    }
    return new Basic(username, password);
  }

  private ClientCertificate certificate(Fields fields) {
    fields.allowOnly(KNOWN_OF_CERTIFICATE, dialect);
    Secret pfx = secret(fields, "pfx");
    Optional<Secret> password = fields.secret(PASSWORD);
    if (dialect == Dialect.STORED) {
      return new ClientCertificate(pfx, password.orElse(Secret.KEPT), stored(fields));
    }
    if (pfx.isKept() && password.isPresent()) {
      throw JobException.invalid(
          fields.place(PASSWORD) + ": belongs to a pfx; give both, or neither to keep the stored");
    }
    Secret standard = pfx.isKept() ? Secret.KEPT : new Secret("");
    return new ClientCertificate(pfx, password.orElse(standard), Optional.empty());
  }

  private static Optional<Certificate> stored(Fields fields) {
    return fields
        .text("certificateThumbprint")
        .map(
            thumbprint ->
                new Certificate(
                    thumbprint,
                    fields.instant("certificateExpiration").orElseThrow(),
                    fields.requiredText("certificateSubjectName")));
  }

  private ActiveDirectoryOAuth oauth(Fields fields) {
    fields.allowOnly(KNOWN_OF_OAUTH, dialect);
    String tenant = fields.requiredText(TENANT);
    if (!TENANT_NAME.matcher(tenant).matches()) {
      throw fields.refusal(
          TENANT,
          "must begin with a letter or digit and hold only letters, digits, '.', '_' and '-'");
    }
    return new ActiveDirectoryOAuth(
        tenant, name(fields, "audience"), name(fields, "clientId"), secret(fields, "secret"));
  }

  private static String name(Fields fields, String property) {
    String name = fields.requiredText(property);
    if (name.isEmpty() || name.length() > LONGEST_NAME) {
      throw fields.refusal(property, "must have 1 to " + LONGEST_NAME + " characters");
    }
    if (name.chars().anyMatch(Character::isISOControl)) {
      throw fields.refusal(property, "must not hold control characters");
    }
    return name;
  }

  private static Secret secret(Fields fields, String property) {
    return fields.secret(property).orElse(Secret.KEPT);
  }
}
