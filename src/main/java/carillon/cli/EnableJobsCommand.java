package carillon.cli;

import picocli.CommandLine.Command;

/** Ends the pause of jobs. */
@Command(
    name = "enable",
    description = "Ends the pause of jobs: the next occurrence is computed from now.",
    footerHeading = "%nExamples:%n",
    footer = "  carillon jobs enable orders/nightly")
final class EnableJobsCommand extends JobBatchCommand {
  @Override
  ApiReply ask(ApiClient node, JobAddress job) {
    return node.ask("POST", job.path() + "/enable", new byte[0]);
  }

  @Override
  String done() {
    return "enabled";
  }
}
