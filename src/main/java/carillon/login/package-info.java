/**
 * Finds out who asks: {@link carillon.login.Login} takes what a request shows - an API key, a
 * session of the console, a token, a client certificate - and answers with an {@link
 * carillon.access.Identity}, or fails with a {@link carillon.login.LoginFailure}. What it has
 * verified it remembers for a short time, so that no request waits for Redis or for an issuer more
 * than now and then. Imports {@code access} and {@code store}.
 */
package carillon.login;
