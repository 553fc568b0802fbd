package carillon.job;

/** What an attempt performs. Each kind of action is one record. */
public sealed interface Call
    permits HttpCall, StorageQueueCall, ServiceBusCall, RedisStreamCall, RedisListCall {
  /** The same call with every secret of it replaced. */
  Call mapSecrets(Secret.Mapping mapping);

  /** The same call as a span of a trace, where the kind has a way to tell its target. */
  default Call traced(TraceContext span) {
    return this;
  }
}
