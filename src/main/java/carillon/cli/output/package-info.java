/**
 * Output of commands: tables for people, JSON for programs, the terminal, and the failure of a
 * command with its exit code.
 */
package carillon.cli.output;
