// Runs seeds of editors on an engine without one of its guards: node edit-guard-worker.ts GUARD FROM TO. Prints the first
// seed that breaks a rule, as JSON; null when none does.
import { switchOff } from '../station/switch-off.ts';
import { EDIT_GUARDS } from './edit-guards.ts';

const [name, from, to] = process.argv.slice(2);
const guard = EDIT_GUARDS.find((each) => each.name === name);
if (guard === undefined) throw new Error(`no guard “${name}”`);

const assertOff = switchOff(guard);
const { editScenarioOf } = await import('./edit-scenario.ts');
const { editViolationsOf } = await import('./shrink-edits.ts');
assertOff();

Error.stackTraceLimit = 0;
let found: { seed: number; rule: string; text: string } | null = null;
for (let seed = Number(from); seed < Number(to) && found === null; seed += 1) {
  const [first] = await editViolationsOf(editScenarioOf(seed));
  if (first !== undefined) found = { seed, ...first };
}
console.log(JSON.stringify(found));
