package io.eyewall.client.seam;

import org.apache.storm.shade.org.jctools.queues.MpscUnboundedArrayQueue;

/** Woven into {@code JCQueue}: its overflow list, for positions in it. */
public interface OverflowAccess {

    /** The list of the elements for which there was no room. */
    MpscUnboundedArrayQueue<Object> getOverflowQ();
}
