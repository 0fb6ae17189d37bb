package io.eyewall.tail.auto;

/** Switches as tests want them. */
public final class TestSwitch {

    private TestSwitch() {
    }

    /** One that is off. */
    public static TechniqueSwitch off() {
        return new TechniqueSwitch(1, 1);
    }

    /** Switches it from off to on, or from on to off. */
    public static TechniqueSwitch switched(TechniqueSwitch control) {
        boolean before = control.isOn();
        while (control.isOn() == before) {
            control.judge(true, true);
        }
        return control;
    }
}
