package io.eyewall.integration.bench;

/**
 * One queue before several equal servers, with arrivals at random and service times that are distributed exponentially (M/M/c).
 *
 * @param servers 1 or more
 * @param serviceNs the mean service time in ns
 */
record MultiServerQueue(int servers, double serviceNs) {

    /**
     * The mean time from arrival to the end of the service, in ns, by A. K. Erlang's second formula.
     *
     * @param utilisation of all servers, from 0 to less than 1
     */
    double meanNs(double utilisation) {
        double load = utilisation * servers;
        // Erlang's loss formula in its stable recursive form, and from it the probability that one has to wait.
        double blocked = 1;
        for (int server = 1; server <= servers; server++) {
            blocked = load * blocked / (server + load * blocked);
        }
        double waits = blocked / (1 - utilisation * (1 - blocked));
        return serviceNs * (1 + waits / (servers * (1 - utilisation)));
    }
}
