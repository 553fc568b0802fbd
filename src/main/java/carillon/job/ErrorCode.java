package carillon.job;

/** Kinds of refusal, in words of the domain; the API maps each to one HTTP status. */
public enum ErrorCode {
  /** The request is not understood or breaks a rule; the message names field, value and rule. */
  INVALID,
  /** A list that goes by no index has more jobs than are looked at; the message tells how many. */
  TOO_MANY_JOBS,
  /** The job does not exist. */
  JOB_NOT_FOUND,
  /** The collection does not exist. */
  COLLECTION_NOT_FOUND,
  /** The state of the job or collection forbids the operation. */
  CONFLICT,
  /** An If-Match or If-None-Match condition does not hold. */
  PRECONDITION_FAILED,
  /** What is stored of the job cannot be read; it can be put anew or deleted. */
  JOB_DAMAGED,
  /** What is stored of the collection cannot be read; it can be put anew. */
  COLLECTION_DAMAGED,
  /** What is stored of the flow cannot be read; it can be put anew or deleted. */
  FLOW_DAMAGED,
  /** What is stored of the calendar cannot be read; it can be put anew or deleted. */
  CALENDAR_DAMAGED,
  /** A key of the store holds another type than it must; the message names it. */
  STORE_DAMAGED,
  /** Redis did not answer in time; whether the change was made is unknown. */
  STORE_UNAVAILABLE
}
