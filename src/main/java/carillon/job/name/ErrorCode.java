package carillon.job.name;

/** Kinds of refusal, in words of the domain; the API maps each to one HTTP status. */
public enum ErrorCode {
  /** The request is not understood or breaks a rule; the message names field, value and rule. */
  INVALID,
  /** A list without an index would have to read too many jobs; the message gives their number. */
  TOO_MANY_JOBS,
  /** An operation would change more jobs than one request may; nothing is changed. */
  TOO_MANY_CHANGES,
  /** The job does not exist. */
  JOB_NOT_FOUND,
  /** The collection does not exist. */
  COLLECTION_NOT_FOUND,
  /** The state of the job or collection forbids the operation. */
  CONFLICT,
  /** An If-Match or If-None-Match condition does not hold. */
  PRECONDITION_FAILED,
  /** The stored job cannot be read; a client can PUT it again or delete it. */
  JOB_DAMAGED,
  /** The stored collection cannot be read; a client can PUT it again. */
  COLLECTION_DAMAGED,
  /** The stored flow cannot be read; a client can PUT it again or delete it. */
  FLOW_DAMAGED,
  /** The stored calendar cannot be read; a client can PUT it again or delete it. */
  CALENDAR_DAMAGED,
  /** A key of the store has the wrong type; the message names the key. */
  STORE_DAMAGED,
  /** Redis did not answer in time; whether the change was made is unknown. */
  STORE_UNAVAILABLE
}
