// Starts an installed package, signs in to its own library service and uploads one file: `node test/packages/use-package.ts APP CLI`.
// APP: the program of the window; CLI: the folder of the command line. The system must have a screen and a keychain.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Library, uploadInWindow } from './window-job.ts';

const START_WITHIN_MS = 120_000;

/** Returns a port of this computer that nothing uses. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}

async function whenListening(port: number): Promise<void> {
  for (const giveUpAt = Date.now() + START_WITHIN_MS; Date.now() < giveUpAt; ) {
    const list = await fetch(`http://127.0.0.1:${port}/json/list`)
      .then((answer) => answer.json())
      .catch(() => []);
    if ((list as unknown[]).length > 0) return;
    await new Promise((done) => setTimeout(done, 200));
  }
  throw new Error('The app shows no window.');
}

const [app = '', cli = '', ...appArgs] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'mediadesk-package-'));
const node = join(cli, process.platform === 'win32' ? 'node.exe' : 'node');
const program = join(cli, 'program', 'installed.js');
const service = spawn(node, [program, 'service', '--data', join(folder, 'library'), '--seed', 'demo'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const port = await freePort();
const window = spawn(app, [`--remote-debugging-port=${port}`, '--profile', join(folder, 'profile'), ...appArgs], {
  stdio: 'inherit',
});
try {
  const library = await new Promise<Library>((resolve, reject) => {
    createInterface({ input: service.stdout }).once('line', (line) => resolve(JSON.parse(line) as Library));
    service.once('exit', (code) => reject(new Error(`The library service ended with ${code}.`)));
  });
  await whenListening(port);
  const file = join(folder, 'recording.bin');
  await writeFile(file, Buffer.alloc(3_000_000, 'recording'));
  await mkdir('test-results', { recursive: true });
  const state = await uploadInWindow(port, library, 'Physics', file, join('test-results', 'installed-window.png'));
  console.log(`The upload is ${state}.`);
  process.exitCode = state === 'complete' ? 0 : 1;
} finally {
  window.kill();
  service.kill();
}
