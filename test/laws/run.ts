// Checks the laws of edits with many runs: npm run edit-laws -- [RUNS]. With --mutants, checks that the laws find mistakes.
import { COLLECTION_LAWS } from './collection-laws.ts';
import { EDIT_LAWS } from './edit-laws.ts';
import { MERGE_LAWS } from './merge-laws.ts';
import { survivingMutants } from './mutants.ts';

const [first, second] = process.argv.slice(2);
if (first === '--mutants') {
  const survivors = survivingMutants(Number(second ?? 1000), (line) => console.log(line));
  if (survivors.length > 0) process.exitCode = 1;
} else {
  checkLaws(Number(first ?? 20_000));
}

function checkLaws(runs: number): void {
  for (const { name, check } of [...EDIT_LAWS, ...COLLECTION_LAWS, ...MERGE_LAWS]) {
    const started = performance.now();
    try {
      check(runs);
    } catch (error) {
      process.exitCode = 1;
      console.log(`broken: ${name}`);
      console.error(error);
      continue;
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(6);
    console.log(`${String(runs).padStart(7)} runs  ${seconds} s  ${name}`);
  }
}
