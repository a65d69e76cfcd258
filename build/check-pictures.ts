// Checks that the pictures of the documentation show the current views, and that texts and pictures match.
//
// node build/check-pictures.ts [ROOT]
import { resolve } from 'node:path';
import { citedPictures, pictureNames, stalePictures } from './screenshots/picture-sources.ts';

export interface PictureReport {
  pictures: number;
  /** Pictures whose views changed after they were taken. */
  stale: readonly string[];
  /** Pictures that a page cites, but that do not exist. */
  missing: readonly string[];
  /** No page cites them. */
  unused: readonly string[];
}

export async function checkPictures(root: string): Promise<PictureReport> {
  const names = await pictureNames(root);
  const cited = await citedPictures(root);
  return {
    pictures: names.length,
    stale: await stalePictures(root),
    missing: [...cited].filter((name) => !names.includes(name)),
    unused: names.filter((name) => !cited.has(name)),
  };
}

if (import.meta.main) {
  const { pictures, stale, missing, unused } = await checkPictures(resolve(process.argv[2] ?? '.'));
  for (const name of stale) console.error(`docs/screenshots/${name} is older than its view: run npm run screenshots`);
  for (const name of missing) console.error(`docs/screenshots/${name} is cited, but does not exist`);
  for (const name of unused) console.error(`docs/screenshots/${name} is cited nowhere: cite it or remove it`);
  console.log(`pictures: ${pictures}, ${stale.length} stale`);
  process.exitCode = stale.length + missing.length + unused.length > 0 ? 1 : 0;
}
