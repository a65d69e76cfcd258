// Runs seeds of stations on an engine without one of its guards: node guard-worker.ts GUARD FROM TO. Prints the first seed
// that breaks a rule, as JSON; null when none does.
import { GUARDS } from './guards.ts';
import { switchOff } from './switch-off.ts';

const [name, from, to] = process.argv.slice(2);
const guard = GUARDS.find((each) => each.name === name);
if (guard === undefined) throw new Error(`no guard “${name}”`);

const assertOff = switchOff(guard);
const { stationScenarioOf } = await import('./draw-station.ts');
const { violationsOf } = await import('../shrink.ts');
assertOff();

Error.stackTraceLimit = 0;
let found: { seed: number; rule: string; text: string } | null = null;
for (let seed = Number(from); seed < Number(to) && found === null; seed += 1) {
  const [first] = await violationsOf(stationScenarioOf(seed, null, guard.focus));
  if (first !== undefined) found = { seed, ...first };
}
console.log(JSON.stringify(found));
