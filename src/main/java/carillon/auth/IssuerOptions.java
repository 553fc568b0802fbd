package carillon.auth;

import java.net.URI;

/**
 * Which tokens are believed and where the keys of their issuer are.
 *
 * @param keys address of the key set; empty path of an empty URI where the issuer tells it itself
 *     (OpenID Connect Discovery)
 * @param trustedCa PEM file with the certificates that the issuer is trusted by; empty for those of
 *     Java
 */
public record IssuerOptions(JwtVerifier rules, URI keys, String trustedCa) {}
