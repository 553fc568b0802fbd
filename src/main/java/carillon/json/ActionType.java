package carillon.json;

import java.util.stream.Stream;

/** The kinds of action, and the property that tells each what to do. */
enum ActionType {
  HTTP("http", "request"),
  HTTPS("https", "request"),
  STORAGE_QUEUE("storageQueue", "queueMessage"),
  SERVICE_BUS_QUEUE("serviceBusQueue", "serviceBusQueueMessage"),
  SERVICE_BUS_TOPIC("serviceBusTopic", "serviceBusTopicMessage"),
  REDIS_STREAM("redisStream", "redisStream"),
  REDIS_LIST("redisList", "redisList");

  static final EnumNames<ActionType> WORDS = EnumNames.of(Stream.of(values()), type -> type.word);

  private final String word;
  private final String payload;

  ActionType(String word, String payload) {
    this.word = word;
    this.payload = payload;
  }

  /** The property that holds what to do. */
  String payload() {
    return payload;
  }

  /** ARM begins the word with a capital letter. */
  String word(Dialect dialect) {
    return dialect == Dialect.ARM
        ? Character.toUpperCase(word.charAt(0)) + word.substring(1)
        : word;
  }
}
