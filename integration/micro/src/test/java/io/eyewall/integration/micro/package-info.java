/**
 * Parts by themselves, beside the classes that they are of: {@code *Stress}, what a hand-over between threads promises whatever is
 * reordered (jcstress), and {@code *Benchmark}, what a part costs beside another that does the same (JMH). The other packages of this
 * module have the names of those that they look into.
 */
package io.eyewall.integration.micro;
