/**
 * Benchmark: {@code mvn -q test-compile exec:java@benchmark}, with options in {@code -Dexec.args}.
 * It measures a running scheduler from outside, over HTTP, next to baselines measured in the same
 * run. With {@code --compare}, it measures the packaged program next to other schedulers. It uses
 * the load rig and no code of the product.
 */
package carillon.benchmark;
