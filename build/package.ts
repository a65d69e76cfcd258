// `npm run package`: packs the built app for this system. On Linux: a deb and an rpm. Arguments go to electron-builder, and
// then only it runs: `npm run package -- --linux dir`.
//
// A release needs the official Electron. Where it can't be downloaded, `--test-build` packs the runtime made from npm, to
// test the packing itself; the result is marked as a test build and must not be used.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type ElectronRuntime, resolveElectronRuntime } from './electron-runtime.ts';
import { makeDistributionPackages } from './linux/distribution-packages.ts';
import { GRAPH_FILE, readGraph } from './packages/bundled-packages.ts';
import { makeCliFolder } from './packages/cli-folder.ts';
import { writeNotices } from './packages/notices.ts';
import { run } from './processes.ts';

const projectDir = resolve(import.meta.dirname, '..');
const say = (line: string) => console.error(`package: ${line}`);

/** Options that tell electron-builder which Electron to pack. */
function electronOptions(runtime: ElectronRuntime): string[] {
  return [`-c.electronDist=${dirname(runtime.executablePath)}`, `-c.electronVersion=${runtime.version}`];
}

/** Writes the configuration of electron-builder: that of this folder, without what only other programs need; returns its path. */
function writeBuilderConfig(resources: string): string {
  const { unshipped } = readGraph(join(projectDir, 'out', `main-${GRAPH_FILE}`));
  const path = join(resources, '..', 'electron-builder.json');
  const config = {
    extends: join(projectDir, 'build', 'electron-builder.yml'),
    files: unshipped.map((file) => `!out/${file}`),
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}

/** The time of the release: that of reproducible builds if there is one. */
function releasedAt(): Date {
  const given = Number(process.env.SOURCE_DATE_EPOCH);
  return given > 0 ? new Date(given * 1000) : new Date();
}

async function main(): Promise<number> {
  const given = process.argv.slice(2);
  const isTestBuild = given.includes('--test-build');
  const args = given.filter((argument) => argument !== '--test-build');
  const runtime = await resolveElectronRuntime({ say });
  if (runtime.origin === 'npm' && !isTestBuild) {
    say(
      `only Electron ${runtime.version} from npm is at hand, which is for development and tests. ` +
        'Run this where the official Electron can be downloaded, or add --test-build.',
    );
    return 1;
  }
  const output = join('dist', isTestBuild ? 'test-build' : '');
  const mark = isTestBuild ? [`-c.directories.output=${output}`, '-c.productName=Mediadesk Test Build'] : [];

  const { platform, arch } = process;
  const { version } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')) as { version: string };
  const resources = join(projectDir, 'dist', 'resources');
  await makeCliFolder({ projectDir, folder: join(resources, 'cli'), platform, arch });
  await writeNotices({ projectDir, resources, version, electronVersion: runtime.version, platform, arch });
  const all = [
    '--config',
    writeBuilderConfig(resources),
    '--publish',
    'never',
    ...electronOptions(runtime),
    ...mark,
    ...args,
  ];
  const finished = await run(resolve(projectDir, 'node_modules/.bin/electron-builder'), all, {
    cwd: projectDir,
    echo: true,
  });
  if (finished.code !== 0) return finished.code ?? 1;
  if (platform !== 'linux' || args.length > 0) return 0;
  const packages = await makeDistributionPackages({
    projectDir,
    app: join(projectDir, output, 'linux-unpacked'),
    output: join(projectDir, output),
    version,
    arch,
    at: releasedAt(),
    isFast: isTestBuild,
  });
  for (const path of packages) say(`made ${path}`);
  return 0;
}

process.exitCode = await main();
