package io.eyewall.core.nimbus;

import net.bytebuddy.asm.MemberSubstitution;
import org.apache.storm.daemon.nimbus.Nimbus;
import org.apache.storm.daemon.supervisor.Supervisor;

/** What a local cluster calls, by weaving. */
public final class LocalSupervisors {

    private LocalSupervisors() {
    }

    /**
     * In place of {@code Supervisor.launch} in {@code LocalCluster.addSupervisor}. A Supervisor asks Nimbus for its assignments as soon as
     * it is launched. Upstream sets Nimbus after that, and if it is too late the process ends.
     */
    public static void launch(@MemberSubstitution.This(source = MemberSubstitution.Source.SUBSTITUTED_ELEMENT) Supervisor supervisor,
            @MemberSubstitution.FieldValue("nimbus") Nimbus nimbus) throws Exception {
        supervisor.setLocalNimbus(nimbus);
        supervisor.launch();
    }
}
