package carillon.json;

import carillon.job.Authentication;
import carillon.job.Authentication.ActiveDirectoryOAuth;
import carillon.job.Authentication.ApiKey;
import carillon.job.Authentication.Basic;
import carillon.job.Authentication.Bearer;
import carillon.job.Authentication.Certificate;
import carillon.job.Authentication.ClientCertificate;
import carillon.job.Authentication.ClientCredentials;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** Writes how an HTTP call proves who calls. Secrets stand in the stored form only. */
final class AuthenticationWriter {
  private AuthenticationWriter() {}

  /** Writes one object, in the service's order of properties. */
  static void write(JsonGenerator json, Authentication authentication, Dialect dialect)
      throws IOException {
    json.writeStartObject();
    String type;
    if (authentication instanceof Basic basic) {
      json.writeStringField("username", basic.username());
      DefinitionWriter.writeSecret(json, "password", basic.password(), dialect);
      type = "Basic";
    } else if (authentication instanceof ClientCertificate certificate) {
      DefinitionWriter.writeSecret(json, "pfx", certificate.pfx(), dialect);
      DefinitionWriter.writeSecret(json, "password", certificate.password(), dialect);
      if (certificate.certificate().isPresent()) {
        writeCertificate(json, certificate.certificate().get(), dialect);
      }
      type = "ClientCertificate";
    } else if (authentication instanceof Bearer bearer) {
      DefinitionWriter.writeSecret(json, "token", bearer.token(), dialect);
      type = "Bearer";
    } else if (authentication instanceof ApiKey key) {
      json.writeStringField("name", key.name());
      DefinitionWriter.writeSecret(json, "value", key.value(), dialect);
      json.writeStringField("in", key.in().word());
      type = "ApiKey";
    } else if (authentication instanceof ClientCredentials client) {
      writeClient(json, client, dialect);
      type = "Oauth2ClientCredentials";
    } else {
      ActiveDirectoryOAuth oauth = (ActiveDirectoryOAuth) authentication;
      json.writeStringField("tenant", oauth.tenant());
      json.writeStringField("audience", oauth.audience());
      json.writeStringField("clientId", oauth.clientId());
      DefinitionWriter.writeSecret(json, "secret", oauth.secret(), dialect);
      type = "ActiveDirectoryOAuth";
    }
    json.writeStringField("type", dialect == Dialect.ARM ? type : decapitalized(type));
    json.writeEndObject();
  }

  private static void writeClient(JsonGenerator json, ClientCredentials client, Dialect dialect)
      throws IOException {
    json.writeStringField("tokenUrl", client.tokenUrl());
    json.writeStringField("clientId", client.clientId());
    DefinitionWriter.writeSecret(json, "clientSecret", client.clientSecret(), dialect);
    if (client.scope().isPresent()) {
      json.writeStringField("scope", client.scope().get());
    }
    if (client.audience().isPresent()) {
      json.writeStringField("audience", client.audience().get());
    }
    json.writeStringField("clientAuthentication", client.method().word());
  }

  /** The service answered the first name of the date, its clients read the second. */
  private static void writeCertificate(JsonGenerator json, Certificate found, Dialect dialect)
      throws IOException {
    String expiration = Timestamps.format(found.expiration());
    json.writeStringField("certificateThumbprint", found.thumbprint());
    json.writeStringField("certificateExpiration", expiration);
    if (dialect != Dialect.STORED) {
      json.writeStringField("certificateExpirationDate", expiration);
    }
    json.writeStringField("certificateSubjectName", found.subjectName());
  }

  private static String decapitalized(String type) {
    return Character.toLowerCase(type.charAt(0)) + type.substring(1);
  }
}
