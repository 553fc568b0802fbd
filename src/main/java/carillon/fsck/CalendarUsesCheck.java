package carillon.fsck;

import carillon.job.name.JobKey;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.store.operation.RawRedisReader;
import carillon.store.resource.CalendarUses;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * Check that the lists of the jobs that name a calendar hold no others. Nodes take others out only
 * when the calendar changes.
 */
final class CalendarUsesCheck {
  private final CheckContext context;
  private final RawRedisReader reader;
  private final Keys keys;

  CalendarUsesCheck(CheckContext context) {
    this.context = context;
    this.reader = context.reader;
    this.keys = context.keys;
  }

  /** Checks one partition's jobs of a calendar. */
  Future<Void> check(int partition, String calendar) {
    String list = keys.calendarUses(partition, calendar);
    return SliceLoops.items(
        from -> reader.setMembers(list, from), job -> checkMember(partition, calendar, job));
  }

  /** Checks an entry. It is made before its job, so a stray entry is observed for some time. */
  private Future<Void> checkMember(int partition, String calendar, String job) {
    return fields(partition, job)
        .map(
            fields -> {
              if (!CalendarUses.mayName(calendar, new JobKey(job), fields.get(1))) {
                context.verifier.defer(
                    () -> look(partition, calendar, job), () -> remove(partition, calendar, job));
              }
              return null;
            });
  }

  private Future<List<String>> fields(int partition, String job) {
    return reader.patiently(
        () -> reader.fields(keys.job(partition, job), "revision", "definition"));
  }

  private Future<Optional<Finding>> look(int partition, String calendar, String job) {
    String list = keys.calendarUses(partition, calendar);
    return fields(partition, job)
        .compose(
            fields -> {
              if (CalendarUses.mayName(calendar, new JobKey(job), fields.get(1))) {
                return Future.succeededFuture(Optional.empty());
              }
              Finding finding =
                  new Finding(
                      FindingKind.CALENDAR_ENTRY_WITHOUT_JOB,
                      list + " " + job,
                      fields.get(1) == null
                          ? "nothing, as there is no such job"
                          : "nothing, as the job does not name it",
                      "the job");
              return reader
                  .holds(stray(partition, calendar, job, fields.get(0)))
                  .map(holds -> Optional.of(finding).filter(found -> holds));
            });
  }

  private ConditionalCommands stray(int partition, String calendar, String job, String revision) {
    return new ConditionalCommands()
        .whenSame(revision, "HGET", keys.job(partition, job), "revision")
        .when("1", "SISMEMBER", keys.calendarUses(partition, calendar), job);
  }

  private Future<Boolean> remove(int partition, String calendar, String job) {
    return fields(partition, job)
        .compose(
            fields ->
                CalendarUses.mayName(calendar, new JobKey(job), fields.get(1))
                    ? Future.succeededFuture(false)
                    : reader.perform(
                        stray(partition, calendar, job, fields.get(0))
                            .then("SREM", keys.calendarUses(partition, calendar), job)));
  }
}
