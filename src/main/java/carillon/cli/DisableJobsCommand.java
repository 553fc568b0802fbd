package carillon.cli;

import picocli.CommandLine.Command;

/** Pauses jobs. */
@Command(
    name = "disable",
    description = "Pauses jobs until they are enabled; what lies in the pause is not made up.",
    footerHeading = "%nExamples:%n",
    footer = "  carillon jobs disable orders/nightly")
final class DisableJobsCommand extends JobBatchCommand {
  @Override
  ApiReply ask(ApiClient node, JobAddress job) {
    return node.ask("POST", job.path() + "/disable", new byte[0]);
  }

  @Override
  String done() {
    return "disabled";
  }
}
