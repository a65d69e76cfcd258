// `npm run conformance -- destinations`: sends files to real stores and form receivers with the real sender.
import { parseArgs } from 'node:util';
import { STORES } from './all.ts';
import { DESTINATION_CASES } from './cases.ts';
import { FilesToSend } from './sending.ts';
import type { Store, StoreKind } from './store.ts';

const DESTINATIONS_USAGE = `Usage: npm run conformance -- destinations [--only STORE]... [--light]

Starts Ceph RGW, Swift, nginx with php-fpm, and gunicorn with Werkzeug on this machine, where they are installed, and
sends files to them: up to 5 GiB, which takes several minutes and some gigabytes of memory or disk.

  --only STORE   only stores whose name contains this text; may be given several times
  --light        without the cases that take long

Ends with 0 when every case held (a store that is not installed is skipped), with 1 otherwise, with 2 for a wrong option.`;

/** Runs the command line; answers its exit code. */
export async function runDestinationConformance(args: string[]): Promise<number> {
  let options: { only?: string[]; light?: boolean; help?: boolean };
  try {
    const only = { type: 'string', multiple: true } as const;
    const flag = { type: 'boolean' } as const;
    options = parseArgs({ args, options: { only, light: flag, help: flag } }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${DESTINATIONS_USAGE}`);
    return 2;
  }
  if (options.help) {
    console.log(DESTINATIONS_USAGE);
    return 0;
  }
  let failed = 0;
  for (const kind of STORES) {
    const isWanted = options.only?.some((text) => kind.name.toLowerCase().includes(text.toLowerCase())) ?? true;
    if (isWanted) failed += await runStore(kind, options.light ?? false);
  }
  return failed > 0 ? 1 : 0;
}

async function runStore(kind: StoreKind, isLight: boolean): Promise<number> {
  const missing = kind.missing();
  if (missing.length > 0) {
    console.log(`${kind.name}: skipped, ${missing.join(', ')} not installed (Debian: ${kind.packages.join(' ')})`);
    return 0;
  }
  const files = new FilesToSend();
  let store: Store | null = null;
  let failed = 0;
  const hold = async (name: string, work: () => Promise<string>) => {
    const since = performance.now();
    const seconds = () => ((performance.now() - since) / 1000).toFixed(1);
    try {
      const shown = await work();
      console.log(`  held    ${name} (${seconds()} s): ${shown}`);
    } catch (error) {
      failed += 1;
      console.log(`  FAILED  ${name} (${seconds()} s): ${error instanceof Error ? error.stack : error}`);
    }
  };
  console.log(kind.name);
  try {
    await hold('starts', async () => {
      store = await kind.start({ isLarge: !isLight });
      return 'ready';
    });
    for (const each of DESTINATION_CASES) {
      const running = store as Store | null;
      if (running === null || (isLight && each.isHeavy) || !each.appliesTo(kind)) continue;
      await hold(each.name, () => each.run({ kind, store: running, files }));
    }
  } finally {
    await (store as Store | null)?.close();
    files.remove();
  }
  return failed;
}
