package carillon.job.action;

import java.util.List;

/**
 * Message for a queue of an Azure storage account, or of another service with its protocol.
 *
 * @param storageAccount name, 3 to 24 letters and digits
 * @param queueName name, 3 to 63 characters
 * @param message text that the envelope of the service wraps
 * @param sasToken shared access signature that allows adding messages: a URI's query, with or
 *     without its question mark
 */
public record StorageQueueCall(
    String storageAccount, String queueName, String message, Secret sasToken)
    implements ActionCall {
  private static final int HTTPS = 443;

  @Override
  public Kind kind() {
    return Kind.STORAGE_QUEUE;
  }

  @Override
  public StorageQueueCall mapSecrets(Secret.Mapping mapping) {
    return new StorageQueueCall(
        storageAccount, queueName, message, mapping.apply("queueMessage.sasToken", sasToken));
  }

  @Override
  public StorageQueueCall mapTexts(TextMapping mapping) {
    String other = mapping.apply("message", message, TextMapping.TextForm.PLAIN);
    return new StorageQueueCall(storageAccount, queueName, other, sasToken);
  }

  @Override
  public Destination destination() {
    return new Destination(storageAccount + ".queue.core.windows.net", HTTPS);
  }

  /** A stored token is kept only for the same queue. */
  @Override
  public Object secretOwner() {
    return List.of(storageAccount, queueName);
  }

  /** Names the destination only: the message may hold secrets. */
  @Override
  public String toString() {
    return "StorageQueueCall[" + storageAccount + "/" + queueName + "]";
  }
}
