package carillon.json.action;

import static carillon.json.text.Dialect.Switch.CAPITAL_TYPES;

import carillon.job.action.Authentication;
import carillon.job.action.Authentication.ActiveDirectoryOAuth;
import carillon.job.action.Authentication.ApiKeyCredential;
import carillon.job.action.Authentication.ApiKeyCredential.In;
import carillon.job.action.Authentication.Basic;
import carillon.job.action.Authentication.Bearer;
import carillon.job.action.Authentication.Certificate;
import carillon.job.action.Authentication.ClientCertificate;
import carillon.job.action.Authentication.ClientCredentials;
import carillon.job.action.Authentication.ClientCredentials.Method;
import carillon.job.action.HttpTarget;
import carillon.job.action.QuerySecrets;
import carillon.job.action.Secret;
import carillon.job.name.JobException;
import carillon.json.text.Dialect;
import carillon.json.text.EnumNames;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.json.text.Timestamps;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Codec of an HTTP call's authentication. No message quotes a secret, and only the stored form
 * contains secrets.
 */
final class AuthenticationCodec {
  private static final String USERNAME = "username";
  private static final String PASSWORD = "password";
  private static final String TENANT = "tenant";
  private static final String TOKEN_URL = "tokenUrl";
  private static final String AUDIENCE = "audience";
  private static final String CLIENT_ID = "clientId";
  private static final String THUMBPRINT = "certificateThumbprint";
  private static final String EXPIRATION = "certificateExpiration";
  private static final String SUBJECT_NAME = "certificateSubjectName";
  private static final int MAX_NAME_LENGTH = 1024;

  /**
   * Properties of a certificate. Answers contain the last four, and requests may repeat them
   * without effect.
   */
  private static final Set<String> KNOWN_OF_CERTIFICATE =
      Set.of(
          "type",
          "pfx",
          PASSWORD,
          THUMBPRINT,
          EXPIRATION,
          "certificateExpirationDate",
          SUBJECT_NAME);

  private static final Set<String> KNOWN_OF_BASIC = Set.of("type", USERNAME, PASSWORD);
  private static final Set<String> KNOWN_OF_OAUTH =
      Set.of("type", TENANT, AUDIENCE, CLIENT_ID, "secret");

  private static final Set<String> KNOWN_OF_BEARER = Set.of("type", "token");
  private static final Set<String> KNOWN_OF_API_KEY = Set.of("type", "name", "value", "in");

  private static final Set<String> KNOWN_OF_CLIENT_CREDENTIALS =
      Set.of(
          "type", TOKEN_URL, CLIENT_ID, "clientSecret", "scope", AUDIENCE, "clientAuthentication");

  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "::1");
  private static final EnumNames<Method> METHODS = EnumNames.of(Method.class);

  /** Characters and length that fit into the header. */
  private static final Pattern TOKEN = Pattern.compile("[!-~]{1,16384}");

  private static final EnumNames<In> PLACES = EnumNames.of(In.class);

  /** A GUID or a domain, which becomes a part of the authority's path. */
  private static final Pattern TENANT_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,254}");

  private enum Type {
    BASIC("basic"),
    CERTIFICATE("clientCertificate"),
    OAUTH("activeDirectoryOAuth"),
    BEARER("bearer"),
    API_KEY("apiKey"),
    CLIENT_CREDENTIALS("oauth2ClientCredentials");

    private final String word;

    Type(String word) {
      this.word = word;
    }
  }

  private static final EnumNames<Type> TYPES =
      EnumNames.of(Stream.of(Type.values()), type -> type.word);

  private final Dialect dialect;

  AuthenticationCodec(Dialect dialect) {
    this.dialect = dialect;
  }

  Authentication read(JsonFields fields) {
    return switch (fields.requiredWord("type", TYPES)) {
      case BASIC -> basic(fields);
      case CERTIFICATE -> certificate(fields);
      case OAUTH -> oauth(fields);
      case BEARER -> bearer(fields);
      case API_KEY -> apiKey(fields);
      case CLIENT_CREDENTIALS -> clientCredentials(fields);
    };
  }

  /** Writes the authentication as an object, in the service's order of properties. */
  static void write(JsonGenerator json, Authentication authentication, Dialect dialect)
      throws IOException {
    json.writeStartObject();
    Type type = writeFields(json, authentication, dialect);
    json.writeStringField(
        "type", dialect.has(CAPITAL_TYPES) ? EnumNames.capitalized(type.word) : type.word);
    json.writeEndObject();
  }

  private static Type writeFields(
      JsonGenerator json, Authentication authentication, Dialect dialect) throws IOException {
    if (authentication instanceof Basic basic) {
      json.writeStringField(USERNAME, basic.username());
      JsonOut.writeSecret(json, PASSWORD, basic.password(), dialect);
      return Type.BASIC;
    }
    if (authentication instanceof ClientCertificate certificate) {
      write(json, certificate, dialect);
      return Type.CERTIFICATE;
    }
    if (authentication instanceof Bearer bearer) {
      JsonOut.writeSecret(json, "token", bearer.token(), dialect);
      return Type.BEARER;
    }
    if (authentication instanceof ApiKeyCredential key) {
      write(json, key, dialect);
      return Type.API_KEY;
    }
    if (authentication instanceof ClientCredentials client) {
      write(json, client, dialect);
      return Type.CLIENT_CREDENTIALS;
    }
    write(json, (ActiveDirectoryOAuth) authentication, dialect);
    return Type.OAUTH;
  }

  private Basic basic(JsonFields fields) {
    fields.allowOnly(KNOWN_OF_BASIC, dialect);
    String username = name(fields, USERNAME);
    Secret password = secret(fields, PASSWORD);
    if (dialect.isChecked()) {
      if (username.indexOf(':') >= 0) {
        fields.report(fields.refusal(USERNAME, "must not hold a colon"));
      }
      if (isGiven(password) && password.text().chars().anyMatch(Character::isISOControl)) {
        fields.report(
            JobException.invalid(fields.place(PASSWORD) + ": must not hold control characters"));
      }
    }
    return new Basic(username, password);
  }

  private ClientCertificate certificate(JsonFields fields) {
    fields.allowOnly(KNOWN_OF_CERTIFICATE, dialect);
    Secret pfx = secret(fields, "pfx");
    Optional<Secret> password = fields.secret(PASSWORD);
    if (!dialect.isChecked()) {
      return new ClientCertificate(pfx, password.orElse(Secret.KEPT), stored(fields));
    }
    if (pfx.isKept() && password.filter(given -> !given.isKept()).isPresent()) {
      throw JobException.invalid(
          fields.place(PASSWORD) + ": belongs to a pfx; give both, or neither to keep the stored");
    }
    if (!pfx.isKept() && password.filter(Secret::isKept).isPresent()) {
      throw JobException.invalid(
          fields.place(PASSWORD)
              + ": '"
              + Secret.MASK
              + "' keeps the stored value, which belongs to the stored pfx; give both");
    }
    Secret standard = pfx.isKept() ? Secret.KEPT : new Secret("");
    return new ClientCertificate(pfx, password.orElse(standard), Optional.empty());
  }

  private static Optional<Certificate> stored(JsonFields fields) {
    return fields
        .text(THUMBPRINT)
        .map(
            thumbprint ->
                new Certificate(
                    thumbprint,
                    fields.instant(EXPIRATION).orElseThrow(),
                    fields.requiredText(SUBJECT_NAME)));
  }

  /**
   * Writes the date under two names: the service answered the first, its clients read the second.
   */
  private static void write(JsonGenerator json, ClientCertificate given, Dialect dialect)
      throws IOException {
    JsonOut.writeSecret(json, "pfx", given.pfx(), dialect);
    JsonOut.writeSecret(json, PASSWORD, given.password(), dialect);
    if (given.certificate().isPresent()) {
      Certificate found = given.certificate().get();
      String expiration = Timestamps.format(found.expiration());
      json.writeStringField(THUMBPRINT, found.thumbprint());
      json.writeStringField(EXPIRATION, expiration);
      if (!dialect.isStored()) {
        json.writeStringField("certificateExpirationDate", expiration);
      }
      json.writeStringField(SUBJECT_NAME, found.subjectName());
    }
  }

  private ActiveDirectoryOAuth oauth(JsonFields fields) {
    fields.allowOnly(KNOWN_OF_OAUTH, dialect);
    String tenant = fields.requiredText(TENANT);
    if (!TENANT_NAME.matcher(tenant).matches()) {
      fields.report(
          fields.refusal(
              TENANT,
              "must begin with a letter or digit and hold only letters, digits, '.', '_' and '-'"));
    }
    return new ActiveDirectoryOAuth(
        tenant, name(fields, AUDIENCE), name(fields, CLIENT_ID), secret(fields, "secret"));
  }

  private static void write(JsonGenerator json, ActiveDirectoryOAuth oauth, Dialect dialect)
      throws IOException {
    json.writeStringField(TENANT, oauth.tenant());
    json.writeStringField(AUDIENCE, oauth.audience());
    json.writeStringField(CLIENT_ID, oauth.clientId());
    JsonOut.writeSecret(json, "secret", oauth.secret(), dialect);
  }

  private Bearer bearer(JsonFields fields) {
    fields.allowOnly(KNOWN_OF_BEARER, dialect);
    Secret token = secret(fields, "token");
    if (isGiven(token) && !TOKEN.matcher(token.text()).matches()) {
      throw JobException.invalid(
          fields.place("token")
              + ": must have 1 to 16384 visible ASCII characters, without 'Bearer' and without"
              + " blanks");
    }
    return new Bearer(token);
  }

  private ApiKeyCredential apiKey(JsonFields fields) {
    fields.allowOnly(KNOWN_OF_API_KEY, dialect);
    ApiKeyCredential key =
        new ApiKeyCredential(
            name(fields, "name"),
            fields.secretOrKept("value"),
            fields.word("in", PLACES).orElse(In.HEADER));
    if (dialect.isChecked() && key.in() == In.HEADER) {
      checkHeader(fields, key.name());
    }
    if (isGiven(key.value())) {
      checkValue(fields.place("value"), key);
    }
    return key;
  }

  private static void checkHeader(JsonFields fields, String name) {
    try {
      HeaderRules.checkName(fields.place("name"), name);
    } catch (JobException e) {
      fields.report(e);
    }
  }

  private static void checkValue(String at, ApiKeyCredential key) {
    if (key.in() == In.HEADER) {
      HeaderRules.checkValue(at, key.value().text());
    } else if (key.value().text().chars().anyMatch(Character::isISOControl)) {
      throw JobException.invalid(at + ": must not hold control characters");
    }
  }

  private static void write(JsonGenerator json, ApiKeyCredential key, Dialect dialect)
      throws IOException {
    json.writeStringField("name", key.name());
    JsonOut.writeSecret(json, "value", key.value(), dialect);
    json.writeStringField("in", key.in().word());
  }

  private ClientCredentials clientCredentials(JsonFields fields) {
    fields.allowOnly(KNOWN_OF_CLIENT_CREDENTIALS, dialect);
    ClientCredentials client =
        new ClientCredentials(
            url(fields),
            name(fields, CLIENT_ID),
            fields.secretOrKept("clientSecret"),
            optionalName(fields, "scope"),
            optionalName(fields, AUDIENCE),
            fields.word("clientAuthentication", METHODS).orElse(Method.BASIC));
    if (dialect.isChecked()) {
      checkTokenUrl(fields, client.tokenUrl());
    }
    return client;
  }

  private static void checkTokenUrl(JsonFields fields, String url) {
    try {
      HttpTarget target = HttpTarget.parse(url);
      boolean isAscii = target.isAscii();
      if (!isAscii || !(target.secure() || LOOPBACK.contains(target.host()))) {
        throw refusedUrl(
            fields,
            url,
            isAscii
                ? "must be https, or http on this machine alone (localhost, 127.0.0.1, [::1])"
                : HttpTarget.ASCII_RULE);
      }
    } catch (IllegalArgumentException e) {
      throw refusedUrl(fields, url, e.getMessage());
    }
    if (!QuerySecrets.of(url).isEmpty()) {
      throw JobException.invalid(
          fields.place(TOKEN_URL) + ": must not hold a secret in its query; it is answered");
    }
  }

  private static JobException refusedUrl(JsonFields fields, String url, String rule) {
    return JsonFields.refuse(fields.place(TOKEN_URL), QuerySecrets.quotable(url), rule);
  }

  private static Optional<String> optionalName(JsonFields fields, String property) {
    return fields.has(property) ? Optional.of(name(fields, property)) : Optional.empty();
  }

  private static void write(JsonGenerator json, ClientCredentials client, Dialect dialect)
      throws IOException {
    json.writeStringField(TOKEN_URL, client.tokenUrl());
    json.writeStringField(CLIENT_ID, client.clientId());
    JsonOut.writeSecret(json, "clientSecret", client.clientSecret(), dialect);
    if (client.scope().isPresent()) {
      json.writeStringField("scope", client.scope().get());
    }
    if (client.audience().isPresent()) {
      json.writeStringField(AUDIENCE, client.audience().get());
    }
    json.writeStringField("clientAuthentication", client.method().word());
  }

  private boolean isGiven(Secret secret) {
    return dialect.isChecked() && !secret.isKept();
  }

  private static String name(JsonFields fields, String property) {
    String name = fields.requiredText(property);
    brokenRule(name).ifPresent(rule -> fields.report(fields.refusal(property, rule)));
    return name;
  }

  private static String url(JsonFields fields) {
    String url = fields.requiredText(TOKEN_URL);
    brokenRule(url).ifPresent(rule -> fields.report(refusedUrl(fields, url, rule)));
    return url;
  }

  private static Optional<String> brokenRule(String name) {
    if (name.isEmpty() || name.length() > MAX_NAME_LENGTH) {
      return Optional.of("must have 1 to " + MAX_NAME_LENGTH + " characters");
    }
    return name.chars().anyMatch(Character::isISOControl)
        ? Optional.of("must not hold control characters")
        : Optional.empty();
  }

  private static Secret secret(JsonFields fields, String property) {
    return fields.secret(property).orElse(Secret.KEPT);
  }
}
