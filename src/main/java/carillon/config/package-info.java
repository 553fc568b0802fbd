/**
 * What an operator can set: {@link carillon.config.Settings}, a tree of records, one for each
 * section, that is at once the schema, the defaults and the rules, and {@link
 * carillon.config.SettingsLoader}, which fills it from a file and the environment. Loaded once,
 * before Vert.x exists; each part of Carillon is handed its own section. Imports nothing of ours.
 */
package carillon.config;
