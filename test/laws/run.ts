// Checks the laws of edits with many runs: npm run edit-laws -- [RUNS]
import { COLLECTION_LAWS } from './collection-laws.ts';
import { EDIT_LAWS } from './edit-laws.ts';
import { MERGE_LAWS } from './merge-laws.ts';

const runs = Number(process.argv[2] ?? 20_000);
for (const { name, check } of [...EDIT_LAWS, ...COLLECTION_LAWS, ...MERGE_LAWS]) {
  const started = performance.now();
  check(runs);
  console.log(
    `${String(runs).padStart(7)} runs  ${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${name}`,
  );
}
