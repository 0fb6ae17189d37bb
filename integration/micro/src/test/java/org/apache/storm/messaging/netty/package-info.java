/** Access to upstream's package-private classes, to compare with. */
package org.apache.storm.messaging.netty;
