/**
 * Client of a running node: its HTTP client, the options of commands that speak to a node, servers
 * by name, addresses of jobs, and input files.
 *
 * <p>Imports {@code cli.output}, {@code json.text}, {@code text}.
 */
package carillon.cli.client;
