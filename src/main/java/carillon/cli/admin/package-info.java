/**
 * Commands for operators of nodes: API keys, the audit log, nodes and their health, alerts, and a
 * virtual clock.
 *
 * <p>Imports {@code cli}, {@code cli.client}, {@code cli.output}.
 */
package carillon.cli.admin;
