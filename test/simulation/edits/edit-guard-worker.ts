// Runs the seed of a guard, and FURTHER ones, on an engine without that guard: node edit-guard-worker.ts GUARD FURTHER.
// Prints the first seed that breaks a rule, as JSON; null when none does.
import { switchOff } from '../station/switch-off.ts';
import { EDIT_GUARDS, scenarioFor } from './edit-guards.ts';

const [name, further] = process.argv.slice(2);
const guard = EDIT_GUARDS.find((each) => each.name === name);
if (guard === undefined) throw new Error(`no guard “${name}”`);

const assertOff = switchOff(guard);
const { editViolationsOf } = await import('./shrink-edits.ts');
assertOff();

Error.stackTraceLimit = 0;
let found: { seed: number | string; rule: string; text: string } | null = null;
const seeds = [guard.seed, ...Array.from({ length: Number(further) }, (_, index) => index + 1)];
for (const seed of seeds) {
  const [first] = await editViolationsOf(scenarioFor(guard, seed));
  if (first === undefined) continue;
  found = { seed, ...first };
  break;
}
console.log(JSON.stringify(found));
