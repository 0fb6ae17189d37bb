#!/usr/bin/env bash
# Profiles a worker. The Supervisor runs what worker.profiler.command names, which is this, in the worker's directory of logs, where the
# logviewer finds the files. The arguments are those of upstream's:
#
#   flight.bash PID start | stop DIR | dump DIR | jstack DIR | jmap DIR | kill
#
# async-profiler is used where the installation has it for this machine and the JVM takes it, and otherwise Java's Flight Recorder.
# EYEWALL_ASYNC_PROFILER in the Supervisor's environment names another library of async-profiler's; "none" is the Flight Recorder.
#
# The processes that a container has started are profiled with it: one recording holds those of all.
#
# A failure is reported in profile-failed-TIME.txt, and otherwise taken as done: the Supervisor would try again every second.

umask 027
worker=$1
action=$2
dir=${3:-$PWD}
time=$(date +%Y%m%d-%H%M%S)
recording=eyewall
most_bytes=128m
longest_s=60
# All at once: a flame graph shows one of them.
events=event=cpu,wall=50ms,alloc=2m,lock=1ms
java=java
[[ -n $JAVA_HOME ]] && java=$JAVA_HOME/bin/java

case $(uname -sm) in
    "Linux x86_64") library=linux-x64 ;;
    "Linux aarch64") library=linux-arm64 ;;
    *) library=none ;;
esac
library=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/external/async-profiler/$library/libasyncProfiler.so
[[ -r $library ]] || library=none
library=${EYEWALL_ASYNC_PROFILER:-$library}

fail() {
    # Without the answer's first line, which is the process, and without stack traces.
    local reason=${1#"$pid:"$'\n'}
    echo "$action of process $pid failed: ${reason%%$'\n\tat '*}" | tee "$dir/profile-failed-$time.txt" >&2
    exit 0
}

# Asks the process as the command jcmd does, which a JRE lacks.
ask() {
    timeout "$longest_s" "$java" -XX:TieredStopAtLevel=1 -Xmx64m -m jdk.jcmd/sun.tools.jcmd.JCmd "$pid" "$@" 2>&1
}

# What async-profiler writes to while it runs.
open() {
    echo "$PWD/.recording-$pid.tmp"
}

async_profiler() {
    answer=$(ask JVMTI.agent_load "\"$library\"" "\"$1,jfr,file=$(open)\"")
    [[ $answer == *"return code: 0"* ]]
}

# The complete chunks of a recording: what async-profiler is just writing has no length yet.
whole() {
    local end=0 length size
    size=$(stat -c %s "$1")
    while ((end < size)) && length=$(od -An -tu8 --endian=big -j $((end + 8)) -N 8 "$1") && ((length > 0 && end + length <= size)); do
        ((end += length))
    done
    head -c "$end" "$1"
}

# Files get their names when they are whole.
finish() {
    [[ -s $1 ]] || fail "${answer:-no answer in $longest_s s}"
    mv "$1" "$2"
}

start() {
    [[ -e $(open) ]] && return
    if [[ $library != none ]]; then
        [[ -r $library ]] || fail "EYEWALL_ASYNC_PROFILER is $library, which cannot be read. Name async-profiler's library."
        async_profiler "start,$events" && return
        rm -f "$(open)"
        [[ -n $EYEWALL_ASYNC_PROFILER ]] && fail "$answer"
    fi
    [[ $(ask JFR.check name=$recording) == *running* ]] && return
    answer=$(ask JFR.start name=$recording settings=profile maxsize=$most_bytes)
    [[ $answer == *"Started recording"* ]] || fail "$answer"
}

# Adds what there is to a file, and ends the recording if it is to. Nothing is recorded if the profile was ended before its time.
add() {
    if [[ -e $(open) ]]; then
        async_profiler "$action"
        whole "$(open)" >> "$1"
        [[ $action == stop ]] && rm "$(open)"
    elif [[ $(ask JFR.check name=$recording) != *"Could not find"* ]]; then
        answer=$(ask JFR.dump name=$recording "filename=\"$1.part\"")
        [[ -s $1.part ]] || fail "${answer:-no answer in $longest_s s}"
        cat "$1.part" >> "$1"
        rm "$1.part"
        [[ $action == stop ]] && ask JFR.stop name=$recording > /dev/null
    fi
}

write() {
    local file=$dir/recording-$worker-$time
    answer=
    for pid in "${processes[@]}"; do
        add "$file.tmp"
    done
    if [[ -e $file.tmp ]]; then
        finish "$file.tmp" "$file.jfr"
    fi
}

pid=$worker
processes=("$worker")
# Not those of bolts in other languages.
mapfile -t -O 1 processes < <(pgrep -P "$worker" -x java 2> /dev/null)

case $action in
    start)
        for pid in "${processes[@]}"; do
            start
        done
        ;;
    dump | stop) write ;;
    jstack)
        for pid in "${processes[@]}"; do
            answer=$(ask Thread.print -l) || fail "$answer"
            echo "$answer" >> "$dir/jstack-$worker-$time.tmp"
        done
        mv "$dir/jstack-$worker-$time.tmp" "$dir/jstack-$worker-$time.txt"
        ;;
    jmap)
        longest_s=600
        for pid in "${processes[@]}"; do
            answer=$(ask GC.heap_dump "\"$dir/heap-$pid-$time.tmp\"")
            finish "$dir/heap-$pid-$time.tmp" "$dir/heap-$pid-$time.bin"
        done
        ;;
    kill) kill -9 "$worker" ;;
    *) fail "there is no such action" ;;
esac
