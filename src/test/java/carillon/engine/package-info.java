/**
 * Tests of the engine: the real timer, dispatcher and stores on a real Redis, at a clock that the
 * test sets. The fixture {@link carillon.engine.EngineFixture} starts an {@link
 * carillon.support.Engine} and a target. A step polls all partitions once, and no test sleeps.
 */
package carillon.engine;
