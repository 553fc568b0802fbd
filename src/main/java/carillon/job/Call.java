package carillon.job;

/** What an attempt performs. Each kind of action is one record. */
public sealed interface Call permits HttpCall {
  /** The same call with every secret of it replaced. */
  Call mapSecrets(Secret.Mapping mapping);

  /** Where its connection goes. */
  Destination destination();
}
