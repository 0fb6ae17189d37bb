/**
 * Deadlines of tuples: each tuple carries the time until which its message should be processed, and the pool runs the executor first whose
 * input is most urgent. After L. Xu, <em>Elastic techniques to handle dynamism in real-time data processing systems</em>, University of
 * Illinois, 2021, chapter 5 (Cameo).
 */
package io.eyewall.client.deadline;
