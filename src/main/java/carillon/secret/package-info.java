/**
 * Cryptography: a ring of keys, sealing and opening of texts under it (AES-256-GCM), the file that
 * holds a key, and what is in a PFX. Owns the form of a sealed text. Imports the Java platform
 * alone.
 */
package carillon.secret;
