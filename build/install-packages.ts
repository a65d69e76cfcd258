// Carries out the plan of system-packages.ts on this machine.
import { platform } from 'node:process';
import { findProgram, run, runOrThrow } from './processes.ts';
import {
  chooseNames,
  type DesktopUse,
  type Machine,
  type PackagePlan,
  packagesFor,
  planPackages,
  readCandidates,
  readInstalled,
  type SystemPackage,
  storePackages,
} from './system-packages.ts';

/** Returns whether this process may install packages. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

async function inspectMachine(desktop: DesktopUse): Promise<Machine> {
  const root = isRoot();
  if (platform !== 'linux') return { platform, debian: false, root, installed: new Set() };
  const debian = Boolean((await findProgram('dpkg-query')) && (await findProgram('apt-get')));
  if (!debian) return { platform, debian, root, installed: new Set() };
  const names = packagesFor(desktop).flatMap((each) => each.names);
  // The command exits with 1 when one name is unknown, and still lists the others.
  const query = await run('dpkg-query', ['-W', '-f', `\${Package} \${db:Status-Status}\n`, ...names]);
  return { platform, debian, root, installed: readInstalled(query.stdout) };
}

/** Installs missing packages where that is possible. Returns the plan, which is already carried out if `install` is set. */
export async function installPackages(desktop: DesktopUse, say: (line: string) => void): Promise<PackagePlan> {
  const plan = planPackages(await inspectMachine(desktop), desktop);
  if (plan.kind === 'install') await install(plan.packages, say);
  return plan;
}

/**
 * Installs the stores for the tests of the sender. Returns the reason why it could not, or null: no other part depends on them.
 */
export async function installStores(say: (line: string) => void): Promise<string | null> {
  const command = `apt-get install --no-install-recommends ${storePackages.map(({ names }) => names[0]).join(' ')}`;
  if (platform !== 'linux' || !isRoot() || !(await findProgram('apt-get'))) return `As root on Debian: ${command}`;
  try {
    const { stdout } = await run('dpkg-query', ['-W', '-f', `\${Package} \${db:Status-Status}\n`]);
    const installed = readInstalled(stdout);
    const missing = storePackages.filter(({ names }) => !names.some((name) => installed.has(name)));
    if (missing.length > 0) await install(missing, say);
    return null;
  } catch (error) {
    return `${command} failed: ${error instanceof Error ? error.message : error}`;
  }
}

async function install(packages: readonly SystemPackage[], say: (line: string) => void): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Another apt may be running on a fresh machine (unattended-upgrades), so wait for its lock.
  const lock = ['-o', 'DPkg::Lock::Timeout=300'];
  say(`Installing Debian packages: ${packages.map((each) => each.names[0]).join(' ')}`);
  await runOrThrow('apt-get', [...lock, 'update', '-q'], { env });
  const alternatives = packages.flatMap((each) => each.names);
  const policy = await runOrThrow('apt-cache', ['policy', ...alternatives], { env: { ...env, LC_ALL: 'C' } });
  const names = chooseNames(packages, readCandidates(policy));
  await runOrThrow('apt-get', [...lock, 'install', '-y', '-q', '--no-install-recommends', ...names], { env });
}
