/**
 * Tests of the packaged program. They start, stop, freeze and kill processes of Carillon and Redis,
 * and observe them over HTTP, by the command line and by clients of others.
 */
package carillon.it;
