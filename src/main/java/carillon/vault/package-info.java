/**
 * Seals the secrets of jobs and collections for the store and opens them for an attempt. Owns to
 * what a sealed secret is bound: its job or collection, and its field. Imports {@code job} and
 * {@code secret}; knows no Vert.x and no Redis.
 */
package carillon.vault;
