package carillon.job;

/** What an attempt performs. Each kind of action is one record. */
public sealed interface Call permits HttpCall {}
