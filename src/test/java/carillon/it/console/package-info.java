/**
 * The console in a real browser, on the packaged program: its forms, its lists, its other pages,
 * and how all of them look. {@code ConsoleShots} takes pictures of it.
 */
package carillon.it.console;
