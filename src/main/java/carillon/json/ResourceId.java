package carillon.json;

import carillon.job.CollectionName;
import carillon.job.JobName;

/** The ids that Azure Resource Manager gives to resources. */
final class ResourceId {
  static final String COLLECTION_TYPE = "Microsoft.Scheduler/jobCollections";
  static final String JOB_TYPE = COLLECTION_TYPE + "/jobs";
  static final String HISTORY_TYPE = JOB_TYPE + "/history";

  private ResourceId() {}

  static String of(CollectionName name) {
    return "/subscriptions/"
        + name.subscription()
        + "/resourceGroups/"
        + name.group()
        + "/providers/"
        + COLLECTION_TYPE
        + "/"
        + name.collection();
  }

  static String of(JobName name) {
    return of(name.collection()) + "/jobs/" + name.job();
  }
}
