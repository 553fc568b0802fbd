package carillon.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Looks at jobs and changes them. */
@Command(
    name = "jobs",
    description = {
      "Looks at jobs and changes them.",
      "A job is typed as [COLLECTION/]JOB; without a collection it is in default."
    },
    synopsisSubcommandLabel = "COMMAND",
    footerHeading = "%nExamples:%n",
    footer = {
      "  carillon jobs list --state faulted",
      "  carillon jobs put orders/nightly nightly.json",
      "  carillon jobs history hello"
    },
    subcommands = {
      ListJobs.class,
      GetJob.class,
      PutJob.class,
      DeleteJobs.class,
      RunJobs.class,
      EnableJobs.class,
      DisableJobs.class,
      JobHistory.class
    })
public final class JobsCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "jobs: a command is missing");
  }
}
