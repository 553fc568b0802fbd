/**
 * Commands for a running node over HTTP, as for any client, and three commands without a node:
 * {@code preview}, {@code explain} and {@code completion}. A command prints a table for people or,
 * with {@code --json}, one object in a line for programs. A failure is a {@code CommandException};
 * the program ends with its exit code.
 *
 * <p>Imports {@code cli.client}, {@code cli.output}, {@code job.name}, {@code json.text}, {@code
 * json.view}.
 */
package carillon.cli;
