/**
 * Makes attempts and records how they went: calls, retries, error actions. Imports {@code job},
 * {@code store}, {@code bus}, {@code config}, {@code egress}. The only package that finishes runs.
 */
package carillon.dispatch;
