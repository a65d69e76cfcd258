// Makes the deb and the rpm from one tree, with the tools of the distributions: debhelper and rpmbuild.
import { chmod, cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFailed, runOrThrow } from '../processes.ts';
import { makePackageTree } from './package-tree.ts';

interface PackageOptions {
  projectDir: string;
  /** The app folder that electron-builder made. */
  app: string;
  /** Gets the packages, and the folder `work`. */
  output: string;
  /** Of package.json. */
  version: string;
  /** Node's name of the processor: x64 or arm64. */
  arch: string;
  /** Of the release. */
  at: Date;
  /** Compress little: a test build takes a minute instead of ten. */
  isFast: boolean;
}

const DEBIAN_ARCH: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
const RPM_ARCH: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64' };

/** Makes a version that dpkg and rpm order before the release that it leads to: 1.2.0-beta.1 becomes 1.2.0~beta.1. */
export function packageVersion(version: string): string {
  return version.replace('-', '~').replaceAll('-', '.');
}

/** Makes both packages and returns their paths. Throws with a next step when a tool is missing. */
export async function makeDistributionPackages(options: PackageOptions): Promise<string[]> {
  const work = join(options.output, 'work');
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true });
  const tree = join(work, 'tree');
  const date = options.at.toISOString().slice(0, 10);
  await makePackageTree({ ...options, tree, date });
  const deb = await makeDeb(options, work);
  const rpm = await makeRpm(options, work, tree);
  await rm(work, { recursive: true });
  return [deb, rpm];
}

/** The first entry of the changelog names the version to debhelper. */
function debianChangelog(version: string, at: Date): string {
  const day = at.toUTCString().replace('GMT', '+0000');
  return `mediadesk (${version}) unstable; urgency=medium

  * Release ${version}.

 -- The Mediadesk authors <maintainers@mediadesk.org>  ${day}
`;
}

async function makeDeb(
  { projectDir, output, version, arch, at, isFast }: PackageOptions,
  work: string,
): Promise<string> {
  const debian = join(work, 'debian');
  await cp(join(projectDir, 'build', 'linux', 'debian'), debian, { recursive: true });
  await chmod(join(debian, 'rules'), 0o755);
  await writeFile(join(debian, 'changelog'), debianChangelog(packageVersion(version), at));
  await cp(join(projectDir, 'CHANGELOG.md'), join(work, 'CHANGELOG.md'));
  const architecture = DEBIAN_ARCH[arch] ?? arch;
  const env = {
    ...process.env,
    DEB_HOST_ARCH: architecture,
    SOURCE_DATE_EPOCH: epoch(at),
    COMPRESSION_LEVEL: isFast ? '1' : '6',
  };
  await tool('debhelper', 'debian/rules', ['binary'], work, env);
  // debhelper writes beside its folder.
  return join(output, `mediadesk_${packageVersion(version)}_${architecture}.deb`);
}

async function makeRpm(
  { projectDir, output, version, arch, at, isFast }: PackageOptions,
  work: string,
  tree: string,
): Promise<string> {
  const spec = join(projectDir, 'build', 'linux', 'mediadesk.spec');
  const architecture = RPM_ARCH[arch] ?? arch;
  const defines = {
    _topdir: join(work, 'rpm'),
    tree,
    package_version: packageVersion(version),
    payload: isFast ? 'w1.xzdio' : 'w6.xzdio',
  };
  const args = ['-bb', spec, '--target', architecture];
  for (const [name, value] of Object.entries(defines)) args.push('--define', `${name} ${value}`);
  const env = { ...process.env, SOURCE_DATE_EPOCH: epoch(at) };
  await tool('rpm', 'rpmbuild', args, work, env);
  const folder = join(work, 'rpm', 'RPMS', architecture);
  const [name] = await readdir(folder);
  if (name === undefined) throw new Error(`rpmbuild made no package in ${folder}.`);
  await rename(join(folder, name), join(output, name));
  return join(output, name);
}

const epoch = (at: Date) => String(Math.floor(at.getTime() / 1000));

/** Runs a tool of a Debian package. */
async function tool(
  packageName: string,
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  try {
    await runOrThrow(command, args, { cwd, env });
  } catch (error) {
    const isMissing = !(error instanceof CommandFailed) || /dh: (not found|No such file)/.test(error.message);
    throw isMissing ? new Error(`${command} can't run; install ${packageName}: ${(error as Error).message}`) : error;
  }
}
