/**
 * Authentication: {@code RequestAuthenticator} takes what a request shows - an API key, a session
 * of the console, a token, a client certificate - and answers with a caller, or fails with a {@code
 * LoginException}. {@code IssuerSignIn} signs people in to the console at the issuer of tokens.
 * What is verified is cached for a short time, so that no request waits for Redis or an issuer more
 * than now and then.
 *
 * <p>Imports {@code access}, {@code bounded}, {@code config}, {@code store.operation}.
 */
package carillon.auth;
