/**
 * Classes of ours that use package-private fields and classes of upstream, and therefore are in their package: a worker's connections, its
 * flags of back-pressure, and its back-pressure tracker.
 */
package org.apache.storm.daemon.worker;
