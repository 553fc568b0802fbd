/**
 * Seeded random walk over the life of jobs: the real API and engine on a real Redis, with the
 * test's clock. A wire to Redis can hold, lose and cut commands. The walk is compared with a model
 * that has no concurrency. The test is {@link carillon.life.LifeWalkTest}. Bugs that the walk finds
 * are in {@link carillon.life.PlantTest}. A {@link carillon.life.Book} records which calls a job is
 * owed and permitted.
 */
package carillon.life;
