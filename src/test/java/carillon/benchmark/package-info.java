/**
 * The benchmark: {@code mvn -q test-compile exec:java@benchmark}, options in {@code -Dexec.args}.
 * It measures a running scheduler from outside, over HTTP, next to baselines that are measured in
 * the same run, or the packaged program next to other schedulers ({@code --compare}). It uses the
 * load rig and no code of the product.
 */
package carillon.benchmark;
