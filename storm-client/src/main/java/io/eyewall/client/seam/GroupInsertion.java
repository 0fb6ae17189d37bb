package io.eyewall.client.seam;

import java.util.ArrayList;

/** Woven into {@code JCQueue}: the insertion of several elements at once, which upstream has for the batches of its producers. */
public interface GroupInsertion {

    /**
     * Inserts elements from the front of a list, and leaves the list as it is. A part may be inserted although there is room for more, but
     * some element if there is room for any. For any thread.
     *
     * @return how many
     */
    @SuppressWarnings("NonApiType") // The type of upstream's parameter.
    int insertGroup(ArrayList<Object> elements);
}
