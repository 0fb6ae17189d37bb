/**
 * What upstream's package-private fields and classes force into their package: a worker's connections and flags, and its tracker of
 * back-pressure.
 */
package org.apache.storm.daemon.worker;
