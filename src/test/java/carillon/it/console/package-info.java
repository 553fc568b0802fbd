/**
 * Tests of the console in a real browser, on the packaged program: forms, lists, other pages, and
 * their looks. {@code ConsoleShots} takes pictures of them.
 */
package carillon.it.console;
