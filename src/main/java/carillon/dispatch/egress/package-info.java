/**
 * Egress policy against server-side request forgery (SSRF): decides which addresses jobs may reach,
 * and resolves their host names. The decision is pure; only the look-up needs Vert.x.
 *
 * <p>Imports {@code bounded}, {@code uri}.
 */
package carillon.dispatch.egress;
