package io.eyewall.examples.operator;

/**
 * Random bits for choices that depend on a message, not on the time: the same seed and number give the same bits.
 */
final class SeededHash {

    private SeededHash() {
    }

    /**
     * Element {@code number} of the sequence that SplitMix64 generates from a seed (G. Steele, D. Lea, C. Flood, Fast Splittable
     * Pseudorandom Number Generators, OOPSLA 2014, figure 14). The first element there is number 1 here: of(0, 1) is 0xe220a8397b1dcdaf.
     */
    static long of(long seed, long number) {
        long mixed = seed + number * 0x9e3779b97f4a7c15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }
}
