package carillon.cli;

import picocli.CommandLine.Command;

/** Runs jobs outside their schedule. */
@Command(
    name = "run",
    description = "Runs jobs once, now; their schedule stays as it is.",
    footerHeading = "%nExamples:%n",
    footer = "  carillon jobs run orders/nightly")
final class RunJobsCommand extends JobBatchCommand {
  @Override
  ApiReply ask(ApiClient node, JobAddress job) {
    return node.ask("POST", job.path() + "/run", new byte[0]);
  }

  @Override
  String done() {
    return "started";
  }
}
