// `npm run conformance -- client`: tests this client with servers that are legitimate but unusual.
import { parseArgs } from 'node:util';
import { ALL_CASES } from './cases/all.ts';
import { runCases } from './suite/run-cases.ts';
import { type CaseResult, tableOf } from './suite/table.ts';

const CLIENT_USAGE = `Usage: npm run conformance -- client [--only AREA|ID]... [--list]

Uploads files through the whole engine to servers that are legitimate but unusual, and prints which cases held.

  --only AREA|ID   only these cases; may be given several times
  --list           lists the cases and runs none

Ends with 0 when every case held, with 1 otherwise, with 2 when no case was named.`;

/** Runs the command line; returns its exit code. */
export async function runClientConformance(args: string[]): Promise<number> {
  let options: { only?: string[]; list?: boolean; help?: boolean };
  try {
    const only = { type: 'string', multiple: true } as const;
    options = parseArgs({ args, options: { only, list: { type: 'boolean' }, help: { type: 'boolean' } } }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${CLIENT_USAGE}`);
    return 2;
  }
  if (options.help) {
    console.log(CLIENT_USAGE);
    return 0;
  }
  const { only } = options;
  const cases = ALL_CASES.filter(({ id, area }) => only === undefined || only.includes(id) || only.includes(area));
  if (cases.length === 0) {
    console.error(`No case is named ${only?.join(', ')}. --list shows them.`);
    return 2;
  }
  if (options.list) {
    for (const { id, name } of cases) console.log(`${id}  ${name}`);
    console.log(`${cases.length} cases`);
    return 0;
  }
  const show = ({ case: { id }, wrong, tookMs }: CaseResult) =>
    console.log(`${wrong.length === 0 ? 'held  ' : 'FAILED'}  ${id} (${(tookMs / 1000).toFixed(1)} s)`);
  const results = await runCases(cases, show);
  console.log(`\n${tableOf(results)}`);
  return results.some(({ wrong }) => wrong.length > 0) ? 1 : 0;
}
