/**
 * Settings of a node. {@code Settings} is a tree of records, one for each section. The records are
 * the schema, the defaults and the rules. {@code SettingsLoader} fills them from a file and the
 * environment ({@code Binder} turns keys into fields). Loaded once, before Vert.x exists.
 *
 * <p>Imports {@code text}, {@code uri}.
 */
package carillon.config;
