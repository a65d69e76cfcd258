// The examples of the command line in the documents, run by a shell as they stand there, beside a real service.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { sealAtLowCost } from '../../helpers/cli/cli.ts';
import { PASSPHRASE_ENV } from '../../helpers/cli/cli-profile.ts';
import { readCommand } from '../../helpers/cli/command-line.ts';
import { taggedRecording } from '../../helpers/data/tagged-recording.ts';
import { commandLinesOf, inlineCommandsOf } from '../../helpers/docs/command-examples.ts';
import { clientFor } from '../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';
import { wav } from '../../helpers/service/service-samples.ts';
import { FormBrowser } from '../../helpers/service/service-sign-in.ts';
import { programPath } from '../../helpers/system/programs.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PROGRAM = programPath(new URL('../../../electron/cli/mediadesk.ts', import.meta.url));
/** Signs in to the library that the examples name; each page starts with it. */
const SIGN_IN = 'mediadesk sign-in --site https://media.example.org --client-id CLIENT';

/** For all examples of a page. */
const TIME_LIMIT_MS = 600_000;

/** What the examples name. All names are replaced in one pass, because an address or an id here can contain another of them. */
const NAMES = /https:\/\/media\.example\.org|--client-id CLIENT|412|413/g;

const run = promisify(execFile);
const pageOf = (name: string) => readFile(join(ROOT, name), 'utf8');

/** A library, and a computer with the files that the examples name. */
interface World {
  service: ServiceProcess;
  /** The current folder of the examples. */
  folder: string;
  profile: string;
  /** What the examples name, with what stands for it here. */
  names: ReadonlyMap<string, string>;
}

const worlds: World[] = [];
afterAll(async () => {
  for (const { service, folder } of worlds) {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

async function openWorld(): Promise<World> {
  const service = await startService();
  const folder = await mkdtemp(join(tmpdir(), 'mediadesk-examples-'));
  const world = { service, folder, profile: join(folder, '.config', 'mediadesk'), names: new Map() };
  worlds.push(world);
  await service.control('PATCH', '/settings', { processing: { outcome: 'complete' } });
  const client = await clientFor(service);
  const [library] = (await client.get('/api2/collections')).body.items;
  const physics = await client.post('/api2/collections', { display_name: 'Physics', parent_id: library.id });
  const physicsId = physics.location.split('/').at(-1);
  const ids: string[] = [];
  for (const title of ['20261103_Optics_Lenses', '20261104_Optics_Wave_optics']) {
    const item = await client.post('/api2/media', { title, collection_id: physicsId });
    ids.push(item.location.split('/').at(-1) ?? '');
    await client.processed(await client.upload(item.location, `${title}.wav`, wav(ids.length + 3)));
  }
  for (const [name, value] of [
    ['https://media.example.org', service.baseUrl],
    ['--client-id CLIENT', `--client-id ${service.clientId}`],
    ['412', ids[0] ?? ''],
    ['413', ids[1] ?? ''],
  ] as const) {
    world.names.set(name, value);
  }
  await writeFiles(folder, ids);
  await sealAtLowCost(world.profile, PASSPHRASE_ENV.MEDIADESK_PASSPHRASE);
  return world;
}

async function writeFiles(folder: string, ids: readonly string[]): Promise<void> {
  for (const name of ['Recordings', 'recordings', 'bin', '.config/mediadesk']) {
    await mkdir(join(folder, name), { recursive: true });
  }
  await writeFile(join(folder, 'Recordings', '20261105_Optics_Mirrors.wav'), wav(2));
  await writeFile(join(folder, 'Recordings', '20261106_Optics_Prisms.wav'), wav(3));
  const tags = { title: 'Lenses', artist: 'Ada', creation_time: '2026-11-03T10:00:00Z' };
  await taggedRecording(join(folder, 'recordings', 'lenses.m4a'), tags);
  await writeFile(join(folder, 'recordings', 'manifest.csv'), 'file,title\nlenses.m4a,20261107_Optics_More_lenses\n');
  const [first, second] = ids;
  await writeFile(join(folder, 'optics.csv'), `id,byline\nm:${first},Ada\nm:${second},Grace\n`);
  await writeFile(join(folder, 'list.csv'), `ID;Speaker;Notes\nm:${first};Emmy;none\nm:${second};Lise;\n`);
  const program = `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(PROGRAM)} "$@"\n`;
  await writeFile(join(folder, 'bin', 'mediadesk'), program, { mode: 0o755 });
  // Stands for the browser of the system: the test opens what it is asked to open.
  await writeFile(
    join(folder, 'bin', 'xdg-open'),
    '#!/bin/sh\nprintf "%s" "$1" > "$OPENED.part" && mv "$OPENED.part" "$OPENED"\n',
    {
      mode: 0o755,
    },
  );
}

const quoted = (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** Runs an example in a shell. A sign-in is approved in a browser. Returns its exit code with all output. */
async function runExample(world: World, line: string): Promise<{ code: number | null; output: string }> {
  const script = line
    .replace(/^npm run -s mediadesk -- /, 'mediadesk ')
    .replace(NAMES, (name) => world.names.get(name) ?? name);
  const { folder, profile } = world;
  const opened = join(folder, 'opened');
  await rm(opened, { force: true });
  const child = spawn('bash', ['-c', script], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...PASSPHRASE_ENV,
      HOME: folder,
      OPENED: opened,
      PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
      MEDIADESK_PROFILE: profile,
      MEDIADESK_KEYCHAIN: 'file',
    },
  });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  if (/ sign-in /.test(script)) {
    const page = await openedPage(opened, child);
    // Without a page the program has ended, and its output says why.
    if (page !== '') await approve(world.service, page);
  }
  return { code: await ended, output: (await output).join('\n') };
}

/** Returns the address that the program asked to open; empty if it ended before. */
async function openedPage(opened: string, child: ChildProcess): Promise<string> {
  const read = () => readFile(opened, 'utf8').catch(() => '');
  const isDecided = async () => child.exitCode !== null || (await read()) !== '';
  await expect.poll(isDecided, { timeout: TIME_LIMIT_MS }).toBe(true);
  return read();
}

async function approve(service: ServiceProcess, address: string): Promise<void> {
  const browser = new FormBrowser();
  let page = await browser.open(address);
  page = await browser.submit(page, 'email_address', { ...service.admin });
  page = await browser.submit(page, 'decision', { decision: 'approve' });
  const redirect = page.response.headers.get('location') ?? '';
  await new Promise<void>((done, fail) => {
    get(redirect, (answer) => answer.resume().once('end', done)).once('error', fail);
  });
}

describe.each([
  ['README.md', 3],
  ['docs/cli.md', 12],
  ['docs/spreadsheets.md', 3],
])('the examples in %s', { timeout: TIME_LIMIT_MS }, (name, atLeast) => {
  it('end with 0, in their order', async () => {
    const world = await openWorld();
    const lines = commandLinesOf(await pageOf(name));
    expect(lines.length).toBeGreaterThanOrEqual(atLeast);
    const all = lines[0]?.includes('sign-in') ? lines : [SIGN_IN, ...lines];
    for (const line of all) {
      const { code, output } = await runExample(world, line);
      expect(code, `${line}\n${output}`).toBe(0);
    }
  });
});

/** Returns why the program refuses a command line; null also when only an operand or a value is missing. */
function problemOf(args: readonly string[]): string | null {
  try {
    readCommand(args);
    return null;
  } catch (error) {
    const { message } = error as Error;
    return message.startsWith('Enter ') ? null : message;
  }
}

describe('the commands within sentences', () => {
  it('exist with their options, in every document', async () => {
    const pages = ['README.md', ...(await readdir(join(ROOT, 'docs'))).map((name) => join('docs', name))];
    let count = 0;
    for (const page of pages.filter((name) => name.endsWith('.md'))) {
      for (const example of inlineCommandsOf(await pageOf(page))) {
        const words = example.replace(/^(mediadesk|station) /, '').replace(/\bCOMMAND\b/, 'upload');
        const { stdout } = await run('sh', ['-c', `for word in ${words}; do printf '%s\\0' "$word"; done`]);
        const problem = problemOf(stdout.split('\0').slice(0, -1));
        expect({ page, example, problem }).toEqual({ page, example, problem: null });
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(20);
  });
});
