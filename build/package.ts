// `npm run package`: packs the built app. Arguments go to electron-builder: `npm run package -- --linux dir`.
//
// A release needs the official Electron. Where it can't be downloaded, `--test-build` packs the runtime made from npm, to
// test the packing itself; the result is marked as a test build and must not be used.
import { dirname, resolve } from 'node:path';
import { type ElectronRuntime, resolveElectronRuntime } from './electron-runtime.ts';
import { run } from './processes.ts';

const projectDir = resolve(import.meta.dirname, '..');

/** Options that tell electron-builder which Electron to pack. */
function electronOptions(runtime: ElectronRuntime): string[] {
  return [`-c.electronDist=${dirname(runtime.executablePath)}`, `-c.electronVersion=${runtime.version}`];
}

async function main(): Promise<number> {
  const given = process.argv.slice(2);
  const isTestBuild = given.includes('--test-build');
  const args = given.filter((argument) => argument !== '--test-build');
  const runtime = await resolveElectronRuntime({ say: (line) => console.error(`package: ${line}`) });
  if (runtime.origin === 'npm' && !isTestBuild) {
    console.error(
      `package: only Electron ${runtime.version} from npm is at hand, which is for development and tests. ` +
        'Run this where the official Electron can be downloaded, or add --test-build.',
    );
    return 1;
  }
  const mark = isTestBuild ? ['-c.directories.output=dist/test-build', '-c.productName=Mediadesk Test Build'] : [];

  const all = [
    '--config',
    'build/electron-builder.yml',
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
  return finished.code ?? 1;
}

process.exitCode = await main();
