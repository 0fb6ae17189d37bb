package io.eyewall.core.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CompactSvgTest {

    @Test
    void shouldRoundToHundredthsAndKeepEverythingElse() {
        assertEquals("<svg version=\"1.1\" x=\"0px\">\n<path d=\"M-1.23,100 L0,2.5 10.57,0\"/>\n</svg>\n", CompactSvg.of("""
            <svg version="1.1" x="0px">
              <path d="M-1.2345,100.00012 L-0.0012,2.5 10.5678,0.001"/>
            </svg>
            """));
    }

    @Test
    void shouldJoinSegmentsThatFollowOneAnotherAndNoOthers() {
        assertEquals("""
            <polyline style="stroke:red;" points="0,1 2,3 4,5"/>
            <polyline style="stroke:blue;" points="4,5 6,7"/>
            <polyline style="stroke:blue;" points="0,0 1,1"/>
            <g>
            <polyline style="stroke:blue;" points="1,1 2,2"/>
            """, CompactSvg.of("""
            <line style="stroke:red;" x1="0" x2="2" y1="1" y2="3"/>
            <line style="stroke:red;" x1="2" x2="4" y1="3" y2="5"/>
            <line style="stroke:blue;" x1="4" x2="6" y1="5" y2="7"/>
            <line style="stroke:blue;" x1="0" x2="1" y1="0" y2="1"/>
            <g>
            <line style="stroke:blue;" x1="1" x2="2" y1="1" y2="2"/>
            """));
    }

    @Test
    void shouldLeaveOutPathsWithoutAPoint() {
        assertEquals("<g>\n</g>\n", CompactSvg.of("<g>\n  <path d=\"\" style=\"fill:none;\"/>\n</g>\n"));
    }
}
