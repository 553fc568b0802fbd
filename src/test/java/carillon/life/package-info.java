/**
 * A seeded random walk over the life of jobs: the real API and engine on a real Redis, with the
 * test's clock and a wire to Redis that can hold, lose and cut, beside a model that knows no
 * concurrency. {@link carillon.life.LifeWalkTest} runs it, {@link carillon.life.PlantTest} shows
 * what it finds; {@link carillon.life.Book} is what a job is owed and may be called for.
 */
package carillon.life;
