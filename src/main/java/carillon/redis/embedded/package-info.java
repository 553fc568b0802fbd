/**
 * The embedded Redis: a real server as a child process on a unix socket, for a first start without
 * any installation and for the tests. Owns the data directory: its lock, the generated {@code
 * redis.conf}, the log and the socket. Everything here blocks and is called before the event loops
 * start and after they have ended. A separate thread restarts a server that has died.
 *
 * <p>Imports {@code config}.
 */
package carillon.redis.embedded;
