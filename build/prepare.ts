// Makes this machine ready: system packages and an Electron runtime. Run by `npm test` and `npm run demo`; harmless to
// repeat, and quick when there is nothing to do.
//
//   node build/prepare.ts [--desktop none|display|virtual] [--thorough] [--stores]
//
// --stores also installs the object stores that test/destinations sends to, and a proxy; without them those tests are skipped. With CI=true
// this is the default: a CI machine may be changed, and where it can't be done the tests are skipped there too.
import { parseArgs } from 'node:util';
import { type ElectronRuntime, resolveElectronRuntime } from './electron-runtime.ts';
import { installPackages, installStores } from './install-packages.ts';
import type { DesktopUse, PackagePlan } from './system-packages.ts';

/** The machine lacks packages that only its owner can install; the message is the one command to run. */
export class MachineNotReady extends Error {
  override name = 'MachineNotReady';
}

export interface PrepareOptions {
  desktop: DesktopUse;
  thorough?: boolean;
  say?: (line: string) => void;
}

function report(plan: PackagePlan, say: (line: string) => void): void {
  if (plan.kind === 'unknown') {
    say(`Not a Debian system, so not checked: ${plan.needed.join(', ')} (Debian's names) must be installed`);
  }
  if (plan.kind !== 'ask') return;
  if (plan.required.length > 0) {
    throw new MachineNotReady(`Mediadesk needs ${plan.required.join(', ')}. Run this once:\n\n  ${plan.command}\n`);
  }
  say(
    `Without ${plan.optional.join(', ')} the library service makes no previews, or some tests are skipped. To add it: ${plan.command}`,
  );
}

/**
 * Installs missing packages, or throws with the command that installs them. Returns the Electron to use, or undefined when no
 * desktop is wanted.
 */
export async function prepare(options: PrepareOptions): Promise<ElectronRuntime | undefined> {
  const { desktop, say = () => undefined } = options;
  report(await installPackages(desktop, say), say);
  if (desktop === 'none') return undefined;
  return resolveElectronRuntime({ say, thorough: options.thorough });
}

function readDesktopUse(text: string): DesktopUse {
  if (text === 'none' || text === 'display' || text === 'virtual') return text;
  throw new MachineNotReady(`--desktop takes none, display or virtual, not "${text}".`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      desktop: { type: 'string', default: 'virtual' },
      thorough: { type: 'boolean', default: false },
      stores: { type: 'boolean', default: false },
    },
  });
  const say = (line: string) => console.error(`prepare: ${line}`);
  const withoutStores = values.stores || process.env.CI === 'true' ? await installStores(say) : null;
  if (withoutStores !== null) say(`The object stores were not installed. ${withoutStores}`);
  const runtime = await prepare({ desktop: readDesktopUse(values.desktop), thorough: values.thorough, say });
  const electron = runtime ? ` Electron ${runtime.version} (${runtime.origin}): ${runtime.executablePath}` : '';
  say(`ready.${electron}`);
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof MachineNotReady ? error.message : error);
    process.exitCode = 1;
  }
}
