package carillon.json.text;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Canonical spelling of the model's property names, which clients may write in any case. */
public final class PropertyNames {
  private static final List<String> NAMES =
      List.of(
          """
          id type name location label tags properties sku quota maxJobCount maxJobOccurrence
          maxRecurrence startTime action request placeholders uri method headers body authentication
          username password pfx certificateThumbprint certificateExpiration
          certificateExpirationDate certificateSubjectName tenant audience clientId secret
          token value in tokenUrl clientSecret scope clientAuthentication signing secrets
          secretCount client grants expires queueMessage serviceBusQueueMessage
          serviceBusTopicMessage storageAccount queueName sasToken message topicPath namespace
          transportType sasKeyName sasKey brokeredMessageProperties contentType correlationId
          forcePersistence label messageId partitionKey replyTo replyToSessionId
          scheduledEnqueueTimeUtc sessionId timeToLive to viaPartitionKey
          customMessageProperties redisStream stream fields redisList list side maxLength
          retryPolicy retryType retryInterval retryCount retryFactor retryMaxInterval
          retryJitter retryMaxDuration errorAction recurrence frequency interval count endTime
          schedule minutes hours weekDays monthDays monthlyOccurrences months day occurrence
          state status now top
          cron cronDialect timeout successOn giveUpOn missed run max pace startWithin rrule
          jitter upTo per overlap bufferMax priority
          note until pause planned since by reason pauseAfterFailures
          flow match rate limit burst parallelism breaker consecutive ratio calls window
          maxPause probes retryAfter url
          description labels
          spans date from lasts calendars exclude only onExcluded
          every at tz retries"""
              .split("\\s+", -1));

  private static final Set<String> FREE =
      Set.of("headers", "tags", "labels", "customMessageProperties", "fields", "body");

  /** Properties that clients often write in an outer object, by their correct object. */
  private static final Map<String, Set<String>> HOMES =
      Map.of(
          "recurrence",
          Set.of("cron", "cronDialect", "rrule", "frequency", "interval", "count", "schedule"),
          "action",
          Set.of("request", "retryPolicy", "errorAction", "timeout", "successOn", "flow"),
          "request",
          Set.of("uri", "method", "headers", "body", "authentication", "placeholders"),
          "retryPolicy",
          Set.of("retryType", "retryInterval", "retryCount", "retryMaxDuration", "giveUpOn"));

  private static final Map<String, String> SPELLINGS = spellings();

  private PropertyNames() {}

  private static Map<String, String> spellings() {
    Map<String, String> spellings = new HashMap<>();
    for (String name : NAMES) {
      spellings.put(name, name);
      spellings.put(name.toLowerCase(Locale.ROOT), name);
    }
    return Map.copyOf(spellings);
  }

  /** Returns the model's spelling of a name, or the name itself if the model has none like it. */
  static String canonical(String name) {
    String exact = SPELLINGS.get(name);
    return exact != null ? exact : SPELLINGS.getOrDefault(EnumNames.lowerCase(name), name);
  }

  /**
   * Returns the path of a property that belongs in an inner object, such as {@code
   * recurrence.cron}. Empty if none of these objects leads to it.
   */
  static Optional<String> within(Set<String> objects, String name) {
    Optional<String> home =
        HOMES.keySet().stream().filter(object -> HOMES.get(object).contains(name)).findFirst();
    return home.filter(objects::contains)
        .or(() -> home.flatMap(object -> within(objects, object)))
        .map(path -> path + "." + name);
  }

  /** Whether the client chooses the names inside this property, so that they are kept exactly. */
  public static boolean isFree(String name) {
    return FREE.contains(name);
  }
}
