/**
 * The settings of a node: {@code Settings}, a tree of records, one for each section, that is at
 * once the schema, the defaults and the rules, and {@code SettingsLoader}, which fills it from a
 * file and the environment ({@code Binder} turns keys into fields). Loaded once, before Vert.x
 * exists.
 *
 * <p>Imports no other package.
 */
package carillon.config;
