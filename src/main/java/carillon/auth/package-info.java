/**
 * Authentication: {@code RequestAuthenticator} takes the credential of a request - an API key, a
 * session of the console, a token, a client certificate - and returns a caller, or fails with a
 * {@code LoginException}. {@code IssuerSignIn} signs people in to the console at the issuer of
 * tokens. Results are cached for a short time, so a request rarely waits for Redis or an issuer.
 *
 * <p>Imports {@code access}, {@code bounded}, {@code config}, {@code store.operation}.
 */
package carillon.auth;
