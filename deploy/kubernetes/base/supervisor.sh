# Starts a Supervisor with a slot for each CPU of its container, as long as each has SLOT_MIB of its memory; the first slot's worth of
# memory is for the Supervisor itself.
set -eu
slots=$((MEMORY_MIB / SLOT_MIB - 1))
if [ "$slots" -gt "$CPUS" ]; then slots=$CPUS; fi
if [ "$slots" -lt 1 ]; then
  echo "supervisor.sh: a memory limit of $MEMORY_MIB MiB has no room for the Supervisor and a worker of $SLOT_MIB MiB each. Raise the" \
    "limit, or lower SLOT_MIB and -Xmx in worker.childopts." >&2
  exit 1
fi
ports=6700
port=6701
while [ "$port" -lt $((6700 + slots)) ]; do
  ports="$ports, $port"
  port=$((port + 1))
done
export STORM_SUPERVISOR_SLOTS_PORTS="[$ports]"
export STORM_SUPERVISOR_CPU_CAPACITY="$((CPUS * 100)).0"
export STORM_SUPERVISOR_MEMORY_CAPACITY_MB="$((slots * SLOT_MIB)).0"
exec storm supervisor
