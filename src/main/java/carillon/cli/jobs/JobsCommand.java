package carillon.cli.jobs;

import carillon.cli.client.GroupOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Command {@code jobs}: shows jobs and changes them. */
@Command(
    name = "jobs",
    description = {
      "Shows jobs and changes them.",
      "A job is typed as [COLLECTION/]JOB; without a collection it is in default. In another group:"
          + " with --subscription and --group, or in full as SUBSCRIPTION/GROUP/COLLECTION/JOB."
    },
    synopsisSubcommandLabel = "COMMAND",
    footerHeading = "%nExamples:%n",
    footer = {
      "  carillon jobs list --state faulted",
      "  carillon jobs create hello --post https://example.org/hook --in 10s",
      "  carillon jobs put orders/nightly nightly.json",
      "  carillon jobs history hello",
      "  carillon jobs --subscription s1 --group sales list orders",
      "  carillon jobs run s1/sales/orders/nightly"
    },
    subcommands = {
      ListJobsCommand.class,
      SearchJobsCommand.class,
      GetJobCommand.class,
      CreateJobCommand.class,
      PutJobCommand.class,
      EditJobCommand.class,
      JobBatchCommand.Delete.class,
      JobBatchCommand.Run.class,
      JobBatchCommand.Retry.class,
      JobBatchCommand.Enable.class,
      JobBatchCommand.Disable.class,
      WaitingCommand.class,
      JobHistoryCommand.class
    })
public final class JobsCommand {
  @Mixin
  @SuppressWarnings("UnusedVariable") // its commands look for them here
  private GroupOptions options;
}
