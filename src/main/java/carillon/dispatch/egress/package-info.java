/**
 * The egress policy, which protects against server-side request forgery (SSRF): decides which
 * addresses jobs may reach, and resolves host names for that. The decision is pure; only the
 * look-up needs Vert.x.
 *
 * <p>Imports {@code bounded}.
 */
package carillon.dispatch.egress;
