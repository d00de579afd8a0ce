#!/usr/bin/env python3
"""A hard 6×6 in 200 parts on two HyperQueue workers, one of which is killed half-way.

    python3 benches/distributed/on_hyperqueue.py [--parts N] [--board FILE] [--program FILE] [--keep]

Installs HyperQueue into a folder of its own (target/hyperqueue), starts a server and two workers with
one core each, each a process, and submits one task a part. When half of the parts are there, one
worker gets SIGKILL, and a fresh one comes in its place; HyperQueue runs the killed worker's task again.
Then `edgematch merge` puts the parts together, and the totals are compared with those of a run in one
piece. Parts that are there already, as after an interrupted run, are not searched again, nor is the
whole; without --keep all of it is removed at the end.

The wheel brings server, workers and client, but no program `hq`: a cluster lives in the process that
starts it. So each worker here is a process that begins a cluster of its own, puts the access record of
the common server in place of its own server's, and then adds a worker, which goes to the common one.
"""
import argparse, json, os, shutil, signal, subprocess, sys, time, venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOME = ROOT / "target" / "hyperqueue"
BUILT = ROOT / "target" / "release" / "edgematch"
WORKERS = 2


def within_the_environment():
    """Starts this script again with a Python that has HyperQueue."""
    python = HOME / "venv" / "bin" / "python"
    if Path(sys.prefix) == HOME / "venv":
        return
    if not python.exists():
        venv.create(HOME / "venv", with_pip=True)
    if subprocess.run([python, "-c", "import hyperqueue"], capture_output=True).returncode:
        subprocess.run([python, "-m", "pip", "install", "--quiet", "hyperqueue"], check=True)
    os.execv(python, [str(python), *sys.argv])


def worker(server, own):
    """Serves the server of one folder until somebody ends this process."""
    from hyperqueue import LocalCluster
    from hyperqueue.cluster import WorkerConfig

    cluster = LocalCluster(own)
    record = Path(own) / "hq-current" / "access.json"
    record.chmod(0o600)
    shutil.copyfile(Path(server) / "hq-current" / "access.json", record)
    cluster.start_worker(WorkerConfig(cores=1))
    signal.pause()


class Crew:
    """The worker processes."""

    def __init__(self, folder):
        self.folder, self.processes, self.started = folder, [], 0

    def hire(self):
        self.started += 1
        own = self.folder / f"worker-{self.started}"
        own.mkdir()
        with open(own / "log", "w") as log:
            command = [sys.executable, __file__, "worker", str(self.folder), str(own)]
            self.processes.append(subprocess.Popen(command, stdout=log, stderr=log))

    def kill_one(self):
        victim = self.processes.pop(0)
        victim.kill()
        victim.wait()
        return victim.pid

    def dismiss(self):
        for process in self.processes:
            process.kill()
            process.wait()


def edgematch(program, *arguments):
    """What a run prints, and what it says; nothing but exit code 0 will do."""
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"edgematch {arguments[0]} ended with {done.returncode}: {done.stderr}")
    return done.stdout, done.stderr.strip()


def counts(lines):
    """The status, and the solutions however they are numbered."""
    objects = [json.loads(line) for line in lines.splitlines()]
    status = objects[-1]
    fields = {name: status[name] for name in ["status", "complete", "distinct", "classes", "solutions"]}
    found = [json.dumps(o["placements"]) for o in objects if o["type"] == "solution"]
    return fields, sorted(found)


def finished(parts):
    return sum(1 for _ in parts.glob("part-*.jsonl"))


def distribute(program, board, number, folder, parts):
    """Runs all parts on workers of which one is killed; says what happened."""
    from hyperqueue import Job, LocalCluster

    hq = folder / "hq"
    shutil.rmtree(hq, ignore_errors=True)
    hq.mkdir(parents=True)
    starts = hq / "starts"
    cluster = LocalCluster(str(hq))
    crew = Crew(hq)
    try:
        for _ in range(WORKERS):
            crew.hire()
        job = Job(default_workdir=ROOT, max_fails=0, default_env={"EDGEMATCH": str(program)})
        script = ROOT / "benches" / "distributed" / "part.sh"
        for part in range(1, number + 1):
            line = f'echo {part} >> "{starts}"; exec "{script}" "{board}" {part} {number} "{parts}"'
            job.program(["bash", "-c", line], name=str(part), stdout=None, stderr=str(hq / f"stderr-{part}"))
        client = cluster.client()
        before = finished(parts)
        submitted = client.submit(job)
        waiting = subprocess.Popen(
            [sys.executable, __file__, "wait", str(hq), str(submitted.id)],
            env=os.environ | {"TQDM_DISABLE": "1"},
            stdout=subprocess.DEVNULL,
        )
        while finished(parts) < (before + number) // 2 and waiting.poll() is None:
            time.sleep(0.2)
        pid = crew.kill_one()
        print(f"killed worker {pid} when {finished(parts)} of {number} parts were there")
        crew.hire()
        if waiting.wait():
            sys.exit("a task failed; see " + str(hq))
        again = len(starts.read_text().split()) - number
        print(f"all {finished(parts)} parts are there; tasks started a second time: {again}")
    finally:
        crew.dismiss()
        cluster.stop()


def wait(server, job):
    """Waits for a job of the server of a folder."""
    from hyperqueue import Client
    from hyperqueue.job import Job, SubmittedJob

    Client(server).wait_for_jobs([SubmittedJob(Job(), int(job))])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", type=int, default=200)
    parser.add_argument("--board", type=Path, default=ROOT / "benches" / "boards" / "s6-k5-8.yaml")
    parser.add_argument("--program", type=Path, help="this one, instead of building it")
    parser.add_argument("--keep", action="store_true", help="leave the parts where they are")
    args = parser.parse_args()
    if not args.program:
        subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=ROOT, check=True)
    program = (args.program or BUILT).resolve()
    board = args.board.resolve()
    folder = HOME / f"{board.stem}-{args.parts}"
    parts = folder / "parts"
    parts.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    started = time.monotonic()
    distribute(program, board, args.parts, folder, parts)
    print(f"{time.monotonic() - started:.0f} s on {WORKERS} workers")
    files = sorted(parts.glob("part-*.jsonl"))
    print("merged:", edgematch(program, "merge", *files)[1])
    merged = edgematch(program, "merge", "--quiet", "--format", "jsonl", *files)[0]
    whole = folder / "whole.jsonl"
    if not whole.exists():
        started = time.monotonic()
        lines, said = edgematch(program, "solve", board, "--format", "jsonl", "--threads", 1)
        whole.write_text(lines)
        print("in one piece:", said)
    if counts(merged) != counts(whole.read_text()):
        sys.exit("the parts and the run in one piece differ")
    print("the parts and the run in one piece are the same: every solution, and all counts")
    if not args.keep:
        shutil.rmtree(folder)


if __name__ == "__main__":
    within_the_environment()
    match sys.argv[1:]:
        case ["worker", server, own]:
            worker(server, own)
        case ["wait", server, job]:
            wait(server, job)
        case _:
            main()
