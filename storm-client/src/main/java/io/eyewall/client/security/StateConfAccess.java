package io.eyewall.client.security;

import java.util.Map;

/** What the weaver gives to upstream's {@code DefaultStateSerializer}. */
public interface StateConfAccess {

    /** The topology's configuration. */
    Map<String, Object> getTopoConf();
}
