// The programs that tests start often, and their bundles. A bundle starts in half the processor time: one file is read and
// linked in place of several hundred.
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The environment variable with the folder of the bundles. Without it, programs start from their sources. */
export const BUNDLES = 'MEDIADESK_TEST_PROGRAMS';

/** The entry files of the programs, relative to the project. */
export const PROGRAMS: readonly string[] = [
  'electron/cli/mediadesk.ts',
  'service/lab-main.ts',
  'service/main.ts',
  'test/torture/collections/new-collections-process.ts',
  'test/torture/edits/bulk-edit-process.ts',
  'test/torture/engine/engine-process.ts',
  'test/unusual-servers/server/main.ts',
];

/** The name of the bundle of a program, without its extension. */
export const bundleName = (program: string) => program.replaceAll('/', '-').replace(/\.ts$/, '');

/** Returns the path to start a program by: its bundle when this test run made one, otherwise its source. */
export function programPath(source: URL): string {
  const path = fileURLToPath(source);
  const folder = process.env[BUNDLES];
  const program = relative(ROOT, path).replaceAll('\\', '/');
  if (!PROGRAMS.includes(program)) throw new Error(`${program} is not one of the programs that are bundled.`);
  return folder === undefined ? path : join(folder, 'programs', `${bundleName(program)}.js`);
}
