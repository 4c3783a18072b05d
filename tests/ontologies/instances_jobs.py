"""One object of every class of `ontologies.jobs`."""

from ogm import GraphModel, Link
from ontologies.jobs import ClusterJob, JobAttempt
from tests.ontologies.instances import NOW, RUN

JOB = ClusterJob(
    run=Link(RUN),
    name="grafico-0123456789ab",
    cluster="hpc",
    scheduler="slurm",
    submitted=NOW,
    shares=2,
    estimate=12.5,
    factor=3.0,
)
ATTEMPT = JobAttempt(
    job=Link(JOB), share=1, number=2, native="4711", submitted=NOW, started=NOW, ended=NOW,
    host="n03", processor="AMD EPYC", cores=8, memory=16000.0, gpus=1, shards=1, walltime=12.0,
    ending="cut off", reason="walltime", error="TimeLimitError", core_hours=96.0, made=Link(RUN),
)  # fmt: skip

EVERYTHING: tuple[GraphModel, ...] = (JOB, ATTEMPT)
