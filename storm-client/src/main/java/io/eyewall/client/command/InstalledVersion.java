package io.eyewall.client.command;

import org.apache.storm.utils.VersionInfo;

/** Prints the version of Storm as upstream does, and below it Eyewall's. */
public final class InstalledVersion {

    private InstalledVersion() {
    }

    /**
     * Prints the versions.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) {
        VersionInfo.main(arguments);
        System.out.println("Eyewall " + InstalledVersion.class.getPackage().getImplementationVersion());
    }
}
