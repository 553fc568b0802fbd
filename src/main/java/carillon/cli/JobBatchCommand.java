package carillon.cli;

import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Does the same to each of some jobs; one that is refused does not keep the others from it. */
abstract class JobBatchCommand implements Runnable {
  @Mixin private ApiClientOptions options;
  @Mixin private GroupOptions group;
  @Mixin private Output output;

  @Parameters(
      arity = "1..*",
      paramLabel = JobAddress.LABEL,
      converter = JobAddress.Converter.class,
      description = "The jobs.")
  private List<JobAddress> jobs;

  /** Asks for it; the reply may be a refusal. */
  abstract ApiReply ask(ApiClient node, JobAddress job);

  /** What has been done, in a word. */
  abstract String done();

  @Override
  public void run() {
    ApiClient node = group.of(options.node());
    int refused = 0;
    for (JobAddress job : jobs) {
      ApiReply reply = ask(node, job);
      if (reply.isSuccess()) {
        said(job);
      } else {
        refused++;
        output.note("carillon: " + job + ": " + reply.refusal());
      }
    }
    if (refused > 0) {
      throw CommandException.refused(refused + " of " + jobs.size() + " refused");
    }
  }

  private void said(JobAddress job) {
    output.line(
        output.isJson()
            ? Json.compact(
                Json.MAPPER
                    .createObjectNode()
                    .put("collection", job.collection())
                    .put("job", job.job())
                    .put("outcome", done()))
            : job + " " + done());
  }
}
