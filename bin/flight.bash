#!/usr/bin/env bash
# Profiles a worker. The Supervisor runs what worker.profiler.command names, which is this, in the worker's directory of logs, where the
# logviewer finds the files. The arguments are those of upstream's:
#
#   flight.bash PID start | stop DIR | dump DIR | jstack DIR | jmap DIR | kill
#
# EYEWALL_ASYNC_PROFILER in the Supervisor's environment names async-profiler's library. Without it Java's Flight Recorder is used.
#
# A failure is reported in profile-failed-TIME.txt, and otherwise taken as done: the Supervisor would try again every second.

umask 027
pid=$1
action=$2
dir=${3:-$PWD}
time=$(date +%Y%m%d-%H%M%S)
recording=eyewall
most_bytes=128m
longest_s=60
library=$EYEWALL_ASYNC_PROFILER
java=java
[[ -n $JAVA_HOME ]] && java=$JAVA_HOME/bin/java
# What async-profiler writes to while it runs.
open=$PWD/.recording-$pid.tmp

fail() {
    # Without the answer's first line, which is the process, and without stack traces.
    local reason=${1#"$pid:"$'\n'}
    echo "$action of process $pid failed: ${reason%%$'\n\tat '*}" | tee "$dir/profile-failed-$time.txt" >&2
    exit 0
}

# Asks the worker as the command jcmd does, which a JRE lacks.
ask() {
    timeout "$longest_s" "$java" -XX:TieredStopAtLevel=1 -Xmx64m -m jdk.jcmd/sun.tools.jcmd.JCmd "$pid" "$@" 2>&1
}

async_profiler() {
    answer=$(ask JVMTI.agent_load "\"$library\"" "\"$1\"")
    [[ $answer == *"return code: 0"* ]]
}

# Files get their names when they are whole.
finish() {
    [[ -s $1 ]] || fail "${answer:-no answer in $longest_s s}"
    mv "$1" "$2"
}

start() {
    if [[ -n $library ]]; then
        [[ -r $library ]] || fail "EYEWALL_ASYNC_PROFILER is $library, which cannot be read. Name async-profiler's library."
        [[ -e $open ]] || async_profiler "start,event=cpu,jfr,file=$open" || fail "$answer"
    else
        [[ $(ask JFR.check name=$recording) == *running* ]] && return
        answer=$(ask JFR.start name=$recording settings=profile maxsize=$most_bytes)
        [[ $answer == *"Started recording"* ]] || fail "$answer"
    fi
}

# Writes what there is. Nothing is recorded if the profile was ended before its time.
dump() {
    local file=$dir/recording-$pid-$time
    if [[ -n $library ]]; then
        [[ -e $open ]] || return
        async_profiler dump
        cp "$open" "$file.tmp"
    else
        [[ $(ask JFR.check name=$recording) == *"Could not find"* ]] && return
        answer=$(ask JFR.dump name=$recording "filename=\"$file.tmp\"")
    fi
    finish "$file.tmp" "$file.jfr"
}

stop() {
    dump
    if [[ -z $library ]]; then
        ask JFR.stop name=$recording
    elif [[ -e $open ]]; then
        async_profiler stop
        rm "$open"
    fi
}

case $action in
    start) start ;;
    dump) dump ;;
    stop) stop ;;
    jstack)
        answer=$(ask Thread.print -l) || fail "$answer"
        echo "$answer" > "$dir/jstack-$pid-$time.txt"
        ;;
    jmap)
        longest_s=600
        answer=$(ask GC.heap_dump "\"$dir/heap-$pid-$time.tmp\"")
        finish "$dir/heap-$pid-$time.tmp" "$dir/heap-$pid-$time.bin"
        ;;
    kill) kill -9 "$pid" ;;
    *) fail "there is no such action" ;;
esac
