package io.eyewall.integration.bench;

import java.io.IOException;

/**
 * Runs topologies, one at a time, and measures them.
 */
interface TopologyRuns {

    /**
     * Runs the scenario on one side, from submission to the end of its measurement.
     *
     * @param round from 1
     * @throws BenchException if the run has no result
     */
    RunResult run(Scenario scenario, Side side, int round) throws IOException, InterruptedException;
}
