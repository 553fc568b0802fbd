/**
 * The program's entry. {@code Launcher} starts {@code Main}, which reads the command line and runs
 * a command.
 *
 * <p>Imports {@code cli}, {@code cli.admin}, {@code cli.client}, {@code cli.jobs}, {@code
 * cli.local}, {@code cli.output}, {@code cli.transfer}, {@code config}, {@code node}, {@code text}.
 */
package carillon;
