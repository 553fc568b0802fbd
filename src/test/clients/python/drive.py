"""Drives a node through a client that is made of openapi.yaml.

    python3 drive.py BASE TARGET

Prints one line of JSON for each call: the operation, the status, and the result or the error.
"""

import json
import sys
import time
from datetime import datetime
from typing import Any, Callable

import carillon_client as carillon
from carillon_client import Action, Flow, FlowMatch, FlowRate, HttpRequest, Job, Recurrence, RetryPolicy

COLLECTION = "default"
JOB = "clock"


def call(operation: str, ask: Callable[[], carillon.ApiResponse]) -> carillon.ApiResponse:
    """Prints what came of a call, and gives what it was answered with."""
    try:
        answer = ask()
    except carillon.ApiException as refusal:
        error = json.loads(refusal.body)["error"]
        tell(operation=operation, status=refusal.status, error=error)
        raise
    result = answer.data.to_dict() if answer.data is not None else None
    tell(operation=operation, status=answer.status_code, result=result)
    return answer


def refused(operation: str, ask: Callable[[], carillon.ApiResponse]) -> None:
    """Prints how a call is refused."""
    try:
        call(operation, ask)
    except carillon.ApiException:
        return
    raise AssertionError(operation + " was not refused")


def tell(**outcome: Any) -> None:
    print(json.dumps(outcome, default=datetime.isoformat))


def await_run(jobs: carillon.JobsApi) -> carillon.HistoryEntry:
    """Asks for the history until the run is in it."""
    for _ in range(300):
        entries: list[carillon.HistoryEntry] = jobs.list_history(COLLECTION, JOB).value
        if entries:
            return entries[0]
        time.sleep(0.1)
    raise AssertionError("the job did not run within 30 s")


def drive_jobs(jobs: carillon.JobsApi, target: str) -> None:
    job = Job(
        var_in="1d",
        time_zone="Europe/Berlin",
        action=Action(
            request=HttpRequest(method="POST", uri=target, body={"order": 4711}),
            success_on=["2xx", "404"],
            retry_policy=RetryPolicy(retry_count=1, retry_interval="1s", give_up_on=["501"]),
        ),
        recurrence=Recurrence(cron="0 9 * * MON-FRI"),
    )
    put = call("putJob", lambda: jobs.put_job_with_http_info(COLLECTION, JOB, job))
    call("getJob", lambda: jobs.get_job_with_http_info(COLLECTION, JOB))
    call("listJobs", lambda: jobs.list_jobs_with_http_info(COLLECTION, top=10))
    revision = (put.headers or {})["ETag"]
    patch = lambda: jobs.patch_job_with_http_info(COLLECTION, JOB, {"overlap": "skip"}, if_match=revision)
    call("patchJob", patch)
    refused("patchJob", patch)  # the revision is of before
    call("runJob", lambda: jobs.run_job_with_http_info(COLLECTION, JOB))
    run = await_run(jobs)
    assert (run.end_time - run.start_time).total_seconds() >= 0
    only = f"statusCode eq {run.status_code}"
    call("listHistory", lambda: jobs.list_history_with_http_info(COLLECTION, JOB, filter=only))
    call("listExecutions", lambda: jobs.list_executions_with_http_info(state="completed", collection=COLLECTION))


def drive_flows(flows: carillon.FlowsApi) -> None:
    flow = Flow(match=FlowMatch(["api.crm.example"]), parallelism=10, rate=FlowRate(limit=100, per="1s"))
    call("putFlow", lambda: flows.put_flow_with_http_info("crm", flow))
    call("getFlow", lambda: flows.get_flow_with_http_info("crm"))


def main(base: str, target: str) -> None:
    client = carillon.ApiClient(carillon.Configuration(host=base))
    jobs = carillon.JobsApi(client)
    drive_jobs(jobs, target)
    drive_flows(carillon.FlowsApi(client))
    call("deleteJob", lambda: jobs.delete_job_with_http_info(COLLECTION, JOB))
    refused("getJob", lambda: jobs.get_job_with_http_info(COLLECTION, JOB))


main(*sys.argv[1:])
