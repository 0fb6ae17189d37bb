package io.eyewall.web.api;

import org.apache.storm.generated.Nimbus;
import org.apache.storm.thrift.TException;

/** What a route does: asks Nimbus, and returns what becomes the JSON of the response. Called by many threads. */
@FunctionalInterface
interface Handler {

    /**
     * The content of the response.
     *
     * @throws HttpException if a parameter is wrong
     * @throws TException if Nimbus refuses or fails
     */
    Object handle(Nimbus.Iface nimbus, Parameters parameters) throws HttpException, TException;
}
