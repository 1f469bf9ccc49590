#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Runs the Slurm job array on this machine, with its own controller and node on the loopback: four
# shards, one of which is killed in the middle and rescheduled by Slurm, compared with a single run.
# Takes about three minutes, since Slurm waits two before it restarts a task. As root, or as a user
# if slurm-wlm and munge are installed.
# Usage: packaging/test-slurm.sh [BUILD]   (build/ci)
set -euo pipefail
cd "$(dirname "$0")/.."

build=$(realpath -- "${1:-build/ci}")
sfumato=$build/bin/sfumato
[ -x "$sfumato" ] || {
  echo "packaging/test-slurm.sh: $sfumato is not built" >&2
  exit 1
}
PATH=$PATH:/usr/sbin
if ! command -v slurmctld >/dev/null || ! command -v munged >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    slurm-wlm munge >/dev/null
fi

. packaging/started.sh
fail() {
  echo "packaging/test-slurm.sh: $1" >&2
  tail -n 20 "$work"/*.log >&2 || true
  exit 1
}

echo "== what the script gives to the program"
printf '#!/bin/sh\necho "$*"\n' >"$work/echo"
chmod 755 "$work/echo"
# given MEMORY... -- WORDS...: Slurm's memory variables and the user's words.
given() {
  local memory=()
  while [ "$1" != -- ]; do
    memory+=("$1")
    shift
  done
  shift
  env "${memory[@]}" SFUMATO="$work/echo" SFUMATO_SHARDS=2 SLURM_ARRAY_TASK_ID=1 \
    SLURM_CPUS_PER_TASK=3 SLURM_CPUS_ON_NODE=4 \
    bash packaging/slurm/sfumato-batch.sbatch median -o out "$@"
}
for jobs in "--jobs 2" "--jobs=2" "-j 2" "-j2" "-rj2" "-qj 2" "-rqj2" "-qrj2"; do
  # shellcheck disable=SC2086
  [[ $(given -- $jobs in) != *"--jobs 3"* ]] || fail "$jobs is told a second time"
done
for files in "in" "-r in" "-ro/projects/out in" "-qo/j in" "-- --jobs" "-- -j2"; do
  # shellcheck disable=SC2086
  [[ $(given -- $files) == *"--jobs 3 --shard 1/2 median -o out $files" ]] ||
    fail "$files: no --jobs"
done
for limit in "--limit 100" "--limit=100"; do
  # shellcheck disable=SC2086
  [[ $(given SLURM_MEM_PER_NODE=8000 -- $limit in) != *"--limit 7000"* ]] ||
    fail "$limit is told a second time"
done
for memory in SLURM_MEM_PER_NODE=8000 SLURM_MEM_PER_CPU=2000; do
  [[ $(given $memory -- -- --limit) == *"--limit 7000 --shard 1/2"* ]] ||
    fail "$memory is not the limit"
done
for memory in A=0 SLURM_MEM_PER_NODE=0 SLURM_MEM_PER_CPU=0; do
  [[ $(given $memory -- in) != *--limit* ]] || fail "$memory becomes a limit"
done

echo "== pictures, and one run"
mkdir "$work/in"
for i in $(seq -w 1 40); do
  { printf 'P6\n640 480\n255\n' && head -c 921600 /dev/urandom; } >"$work/in/$i.ppm"
done
# Slow enough to catch a task in the middle.
plan=(bilateral --sigma 1.5 --range-sigma 0.2 --method exact --device reference --jobs 1)
"$sfumato" batch "${plan[@]}" -o "$work/whole" --quiet "$work/in"

echo "== a cluster of one node"
me=$(id -un)
export SLURM_CONF=$work/slurm.conf
mkdir "$work/state" "$work/spool" "$work/munge"
chmod 755 "$work" "$work/munge"
head -c 1024 /dev/urandom >"$work/munge.key"
chmod 600 "$work/munge.key"
munged --foreground --force --key-file "$work/munge.key" --socket "$work/munge/socket" \
  --pid-file "$work/munged.pid" --seed-file "$work/munged.seed" --log-file "$work/munged.log" \
  >/dev/null 2>&1 &
started+=($!)
free_port() {
  local port
  for port in $(shuf -i 20000-30000 -n 50); do
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
  done
  echo "$port"
}
cat >"$SLURM_CONF" <<END
ClusterName=sfumato
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=$me
SlurmdUser=$me
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
JobRequeue=1
SchedulerParameters=sched_interval=2
NodeName=node1 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=node1 Default=YES MaxTime=INFINITE OverSubscribe=FORCE:2 State=UP
END
wait_until 60 "munge's start" test -S "$work/munge/socket"
slurmctld -D >"$work/slurmctld.log" 2>&1 &
started+=($!)
slurmd -D -N node1 >"$work/slurmd.log" 2>&1 &
started+=($!)
is_idle() { sinfo -h -o %T | grep -q idle; }
wait_until 60 "the node's start" is_idle

echo "== four shards, the second killed in the middle"
cd "$work"
job=$(SFUMATO=$sfumato sbatch --parsable --array=1-4 "$OLDPWD/packaging/slurm/sfumato-batch.sbatch" \
  "${plan[@]}" -o "$work/out" "$work/in")
journal=$work/out/sfumato-batch.2-of-4.jsonl
wait_until 300 "the second task's first picture" grep -q '"done"' "$journal"
# The program itself, whose arguments name its shard.
victim=$(pgrep -f -- "^$sfumato batch .*--shard 2/4 .* -o $work/out ") ||
  fail "the second task ended too soon"
kill -KILL "$victim"
echo "killed $victim after $(grep -c '"done"' "$journal") of 10 pictures"
is_requeued() { scontrol show job "${job}_2" | grep -q 'Restarts=1'; }
wait_until 60 "the second task's return to the queue" is_requeued
are_done() { [ -z "$(squeue -h -j "$job")" ]; }
wait_until 600 "the end of all tasks" are_done

echo "== the same pictures, each made once"
diff -r -x '*.jsonl' "$work/whole" "$work/out" || fail "the outputs differ"
[ -z "$(find "$work/out" -name '.*' -type f)" ] || fail "temporaries are left"
made=$(cat "$work"/out/*.jsonl | grep '"done"' | grep -o '"source":"[^"]*"' | sort)
[ "$(wc -l <<<"$made")" -eq 40 ] || fail "$(wc -l <<<"$made") pictures were made, not 40"
[ -z "$(uniq -d <<<"$made")" ] || fail "pictures were made twice"
left=$("$sfumato" batch "${plan[@]}" -o "$work/out" --resume --dry-run "$work/in")
grep -q '^0 files to make, 40 left out' <<<"$left" || fail "merged journals say: $left"
echo "passed"
