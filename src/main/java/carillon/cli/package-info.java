/**
 * The commands that speak to a running node over HTTP, as any client does, and {@code preview},
 * which computes alone. Knows JSON, the rules of {@code codec} for a preview, and nothing of the
 * store or of settings. A command prints a table for people or, with {@code --json}, one object in
 * a line for programs; what goes wrong is a {@link carillon.cli.CommandFailure}, whose exit code
 * the program ends with.
 */
package carillon.cli;
