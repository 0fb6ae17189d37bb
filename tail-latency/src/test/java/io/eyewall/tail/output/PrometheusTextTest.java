package io.eyewall.tail.output;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PrometheusTextTest {

    private final PrometheusText text = new PrometheusText();

    @Test
    void shouldAddUpPagesAsIfTheyWereOfOneProcess() {
        text.add("""
            # HELP hop_seconds Time.
            # TYPE hop_seconds summary
            hop_seconds{task="1",quantile="0.5"} NaN
            hop_seconds{task="1",quantile="0.9"} 0.5
            hop_seconds_count{task="1"} 3
            # HELP hop_max_seconds Longest.
            # TYPE hop_max_seconds gauge
            hop_max_seconds{task="1"} 1.0
            """);
        text.add("""
            # HELP hop_seconds Time.
            # TYPE hop_seconds summary
            hop_seconds{task="1",quantile="0.5"} 0.25
            hop_seconds{task="1",quantile="0.9"} 0.125
            hop_seconds_count{task="1"} 4
            hop_seconds_count{task="2"} 5
            # HELP hop_max_seconds Longest.
            # TYPE hop_max_seconds gauge
            hop_max_seconds{task="1"} 2.0
            """);

        assertEquals("""
            # HELP hop_seconds Time.
            # TYPE hop_seconds summary
            hop_seconds{task="1",quantile="0.5"} 0.25
            hop_seconds{task="1",quantile="0.9"} 0.5
            hop_seconds_count{task="1"} 7.0
            hop_seconds_count{task="2"} 5.0
            # HELP hop_max_seconds Longest.
            # TYPE hop_max_seconds gauge
            hop_max_seconds{task="1"} 2.0
            """, text.toString());
    }

    @Test
    void shouldLeaveOutWhatIsNoSeries() {
        text.add("<html> 1");
        text.add("# HELP a_total A.\n# TYPE a_total counter\nbroken\na_total one\na_total{le=\"+Inf\"} +Inf\n");
        text.addCounter("a_total", "unused", "b=\"" + PrometheusText.escaped("\"\\\n") + '"', 2);

        assertEquals("""
            # HELP a_total A.
            # TYPE a_total counter
            a_total{le="+Inf"} +Inf
            a_total{b="\\"\\\\\\n"} 2.0
            """, text.toString());
    }
}
