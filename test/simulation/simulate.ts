import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Database } from '../../electron/engine/store/database.ts';
import type { History } from './history.ts';
import { Person } from './person.ts';
import type { Scenario } from './scenario.ts';
import { Keeper } from './station/keeper.ts';
import { withEmptyDatabase } from './world/reused-databases.ts';
import { NO_TAMPER, type Tamper } from './world/tamper.ts';
import { World } from './world/world.ts';

/**
 * After all failures, every upload that the user does not hold must end within this time: all retries take 45.5 hours,
 * and a clock that is set back extends a wait by a day.
 */
const LIVENESS_MS = 96 * 60 * 60_000;
const REAL_TURN_EVERY = 64;
/** A run with more steps is in an endless loop. */
const MAX_STEPS = 1_000_000;

/**
 * Runs one scenario from its first upload to its last, and returns its history. The same scenario results in the same history.
 */
export async function simulate(
  scenario: Scenario,
  tamperOf: (world: World) => Tamper = () => NO_TAMPER,
): Promise<History> {
  return withEmptyDatabase((database) => run(scenario, tamperOf, database));
}

async function run(scenario: Scenario, tamperOf: (world: World) => Tamper, database: Database): Promise<History> {
  const world = new World(scenario, tamperOf);
  const { time, history } = world;
  const onUnhandled = (error: unknown) => world.fault('unhandled', textOf(error));
  process.on('unhandledRejection', onUnhandled);
  try {
    const { station } = world;
    const person = station === null ? new Person(world, database) : new Keeper(world, station, database);
    person.begin();
    let seenRows = -1;
    const stepped = () => {
      try {
        return time.step();
      } catch (error) {
        world.fault('uncaught', textOf(error));
        return true;
      }
    };
    for (let step = 0; stepped(); step += 1) {
      await settled(person.isAdding || step % REAL_TURN_EVERY === 0);
      if (station?.mounts.hasAnswered) await whenWorked(station.mounts);
      await time.turned();
      person.afterStep();
      if (step > MAX_STEPS || time.elapsedMs > scenario.calmAtMs + LIVENESS_MS) break;
      if (!person.isCalm || (station === null && history.rows.length === seenRows)) continue;
      seenRows = history.rows.length;
      if (person.everythingEnded()) break;
    }
    await person.lookAtTheEnd();
    history.final.integrity = String(database.prepare('PRAGMA integrity_check').get()?.integrity_check);
    return history;
  } finally {
    process.off('unhandledRejection', onUnhandled);
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Runs the program until it waits for the world again. Only adding uses the real event loop. */
function settled(throughEventLoop: boolean): Promise<void> {
  return throughEventLoop ? turn() : new Promise((resolve) => process.nextTick(resolve));
}

/** The engine reconciles listings in turns of the event loop, one after each batch. */
async function whenWorked(mounts: { hasAnswered: boolean }): Promise<void> {
  mounts.hasAnswered = false;
  await turn();
  await turn();
}

/** A hash of the whole history. */
export function traceHash(history: History): string {
  return createHash('sha256').update(JSON.stringify(history)).digest('hex');
}
