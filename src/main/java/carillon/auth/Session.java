package carillon.auth;

import carillon.access.Caller;
import carillon.access.SessionToken;
import java.time.Instant;

/** A sign-in to the console. */
public record Session(SessionToken text, Caller caller, Instant ends) {}
