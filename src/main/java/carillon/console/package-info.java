/**
 * The files of the console, which is a page in the browser that asks the API for everything. Owns
 * what lies under {@code /console} in the program; imports nothing of ours.
 */
package carillon.console;
