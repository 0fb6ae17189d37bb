package io.eyewall.core.nimbus;

import net.bytebuddy.asm.MemberSubstitution;
import org.apache.storm.cluster.IStormClusterState;
import org.apache.storm.generated.ProfileRequest;
import org.apache.storm.thrift.TApplicationException;

/** What upstream's Nimbus calls, by weaving, when somebody asks for a profile. On the thread that serves the client. */
public final class ProfileDelegates {

    private ProfileDelegates() {
    }

    /**
     * In place of {@code IStormClusterState.setWorkerProfileRequest} in Nimbus, which calls it after it has checked that the caller may ask
     * for it.
     */
    public static void requested(@MemberSubstitution.This(source = MemberSubstitution.Source.SUBSTITUTED_ELEMENT) IStormClusterState state,
            @MemberSubstitution.Argument(0) String topologyId, @MemberSubstitution.Argument(1) ProfileRequest request,
            @MemberSubstitution.This(source = MemberSubstitution.Source.ENCLOSING_METHOD) Object nimbus) throws TApplicationException {
        ProfileLimits.request(nimbus, state, topologyId, request);
    }
}
