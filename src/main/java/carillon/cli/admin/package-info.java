/**
 * Commands of those who operate nodes: API keys, the audit log, nodes and their health, what needs
 * attention, and a virtual clock.
 *
 * <p>Imports {@code cli}.
 */
package carillon.cli.admin;
