package carillon.login;

import carillon.access.Identity;
import carillon.access.SessionText;
import java.time.Instant;

/** A sign-in to the console. */
public record Session(SessionText text, Identity identity, Instant ends) {}
