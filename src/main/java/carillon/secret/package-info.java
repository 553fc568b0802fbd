/**
 * Cryptography and sealed secrets: a ring of keys, sealing and unsealing of texts under it
 * (AES-256-GCM), key files, and contents of PFX files. The vault binds a sealed secret to its job
 * or collection and its field. No Vert.x and no Redis.
 *
 * <p>Imports {@code job}, {@code job.action}, {@code job.attempt}, {@code job.collection}, {@code
 * job.name}.
 */
package carillon.secret;
