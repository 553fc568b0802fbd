/**
 * Makes attempts and records how they went: calls, retries, error actions. Imports {@code job},
 * {@code store}, {@code bus}, {@code config}, {@code egress}, {@code servicebus}, {@code vault} and
 * {@code secret}. Secrets are in clear here, for the time of an attempt. The only package that
 * finishes runs.
 */
package carillon.dispatch;
