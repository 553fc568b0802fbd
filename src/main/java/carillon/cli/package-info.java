/**
 * The commands that speak to a running node over HTTP, as any client does, and three that need
 * none: {@code preview}, {@code explain} and {@code completion}. A command prints a table for
 * people or, with {@code --json}, one object in a line for programs; a failure is a {@code
 * CommandException}, whose exit code the program ends with.
 *
 * <p>Imports {@code config}, {@code job}, {@code json}, {@code json.view}.
 */
package carillon.cli;
