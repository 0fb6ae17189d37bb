/** One class of ours that uses package-private classes of upstream, and therefore is in their package. */
package org.apache.storm.daemon.supervisor;
