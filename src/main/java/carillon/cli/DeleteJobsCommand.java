package carillon.cli;

import picocli.CommandLine.Command;

/** Deletes jobs. */
@Command(
    name = "delete",
    description = "Deletes jobs, with their history. What is in flight ends.",
    footerHeading = "%nExamples:%n",
    footer = "  carillon jobs delete hello orders/nightly")
final class DeleteJobsCommand extends JobBatchCommand {
  @Override
  ApiReply ask(ApiClient node, JobAddress job) {
    return node.ask("DELETE", job.path(), new byte[0]);
  }

  @Override
  String done() {
    return "deleted";
  }
}
