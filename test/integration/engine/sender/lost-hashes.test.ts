import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { OpenFile } from '../../../../electron/engine/ports/files.ts';
import { type Hashes, HashLost } from '../../../../electron/engine/ports/hashes.ts';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import { nodeFiles } from '../../../../electron/engine/ports/system/node-files.ts';
import { HashThreads } from '../../../../electron/engine/ports/system/node-hash-threads.ts';
import { makeFile, serve, startSending } from '../../../helpers/sender/form-sending.ts';
import { turns, untilQuiet } from '../../../helpers/sender/form-turns.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

const MIB = 1024 * 1024;
const BIG = 24 * MIB;

const programOf = (react: string) =>
  `const { parentPort } = require('node:worker_threads'); let count = 0; parentPort.on('message', (request) => { count += 1; ${react} });`;
const GIVE_BACK = 'if (request.block) parentPort.postMessage(request.block, [request.block]);';

function threadsWith(program: string, clock = nodeClock): HashThreads {
  const threads = new HashThreads({ clock, program, most: 1, fromBytes: 0, onLost: () => {} });
  onTestFinished(() => threads.stop());
  return threads;
}

/** Reads one form on each connection and keeps its last bytes. */
async function receiver() {
  const tails: string[] = [];
  const server = await serve(async (peer) => {
    const head = await peer.readHead();
    peer.goAhead();
    const body = await peer.readBody(head);
    tails.push(body.subarray(-80).toString('latin1'));
    if (body.length === Number(head.headers.get('content-length'))) peer.answer(200, '', { Connection: 'close' });
    await peer.untilGone();
  });
  return { server, tails };
}

async function sendWith(hashes: Hashes, url: URL, path: string) {
  const outcome = await (await startSending(url, path, { hashes })).ended;
  return 'error' in outcome ? outcome.error : outcome;
}

describe('a transfer whose hash thread fails', () => {
  it.each([
    ['in the middle of the file', programOf(`if (count === 12) process.exit(1); ${GIVE_BACK}`)],
    ['at the first block of the file', programOf('process.exit(1);')],
    ['when it computes the digest', programOf(`if (request.kind === 'digest') process.exit(1); ${GIVE_BACK}`)],
  ])(
    'fails with HashLost, without the closing boundary (%s), and the next transfer succeeds',
    async (_when, program) => {
      const { server, tails } = await receiver();
      const file = await makeFile(BIG);
      const threads = threadsWith(program);
      expect(await sendWith(threads, server.url, file.path)).toBeInstanceOf(HashLost);
      expect(await sendWith(threads, server.url, file.path)).toEqual({ status: 200, sha256: file.sha256 });
      await server.scriptsEnded();
      expect(tails.map((tail) => tail.includes('mediadesk'))).toEqual([false, true]);
    },
  );

  it('fails with HashLost, not as stalled, when the thread never answers', async () => {
    const { server } = await receiver();
    const file = await makeFile(BIG);
    const clock = new ManualClock();
    const threads = threadsWith(programOf(`if (count < 9) { ${GIVE_BACK} }`), clock);
    let unanswered = false;
    const hashes: Hashes = {
      begin(sizeBytes) {
        const hash = threads.begin(sizeBytes);
        let adds = 0;
        const add: typeof hash.add = (block, length) => {
          adds += 1;
          unanswered = adds > 8;
          return hash.add(block, length);
        };
        return { ...hash, add };
      },
    };
    const sending = await startSending(server.url, file.path, { hashes, clock });
    await sending.reached(8 * MIB);
    while (!unanswered) await turns(1);
    clock.advance(25_000);
    expect(await sending.ended).toEqual({ error: expect.any(HashLost) });
    expect(sending.progress.at(-1)).toBe(8 * MIB);
  });

  it('fails with HashLost when the hash threads are stopped', async () => {
    const { server } = await receiver();
    const file = await makeFile(BIG);
    const threads = threadsWith(programOf(`if (count < 9) { ${GIVE_BACK} }`));
    const sending = await startSending(server.url, file.path, { hashes: threads });
    await sending.reached(8 * MIB);
    await threads.stop();
    expect(await sending.ended).toEqual({ error: expect.any(HashLost) });
  });

  it('reports the refusal when the destination refused before', async () => {
    const server = await serve(async (peer) => {
      await peer.readHead();
      peer.goAhead();
      await peer.readExactly(MIB);
      peer.answer(413, 'too large', { Connection: 'close' });
      await peer.untilGone();
    });
    const file = await makeFile(BIG);
    const threads = threadsWith(programOf(`if (count === 5) return; ${GIVE_BACK}`));
    const sending = await startSending(server.url, file.path, { hashes: threads });
    expect(await sending.ended).toMatchObject({ error: { code: 'upload.refused' } });
  });
});

it('a paused transfer reads at most four blocks ahead', async () => {
  const { server } = await receiver();
  const file = await makeFile(BIG);
  const real = await nodeFiles.open(file.path);
  let readTo = 0;
  const counted: OpenFile = {
    ...real,
    read: async (buffer, offset, length, position) => {
      const count = await real.read(buffer, offset, length, position);
      readTo = Math.max(readTo, position + count);
      return count;
    },
  };
  const hashes = new HashThreads({ clock: nodeClock, most: 1, fromBytes: 0, onLost: () => {} });
  onTestFinished(() => hashes.stop());
  const sending = await startSending(server.url, file.path, { hashes, file: counted }, (gate) => gate.hold());
  while (readTo < 4 * MIB) await turns(1);
  await untilQuiet(() => readTo);
  expect(readTo).toBe(4 * MIB);
  expect(sending.progress).toEqual([]);
  sending.gate.release();
  expect(await sending.ended).toEqual({ status: 200, sha256: file.sha256 });
});

it('the process can exit although a hash thread was started and never stopped', async () => {
  const port = join(import.meta.dirname, '../../../../electron/engine/ports/system');
  const script = `
    import { HashThreads } from ${JSON.stringify(join(port, 'node-hash-threads.ts'))};
    import { nodeClock } from ${JSON.stringify(join(port, 'node-clock.ts'))};
    const threads = new HashThreads({ clock: nodeClock, most: 1, onLost: () => {} });
    const hash = threads.begin(2 ** 21);
    const keepAlive = setInterval(() => {}, 1000);
    await hash.add(new ArrayBuffer(3), 3);
    console.log(await hash.digest());
    clearInterval(keepAlive);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    timeout: 60_000,
  });
  expect(stdout.trim()).toBe('709e80c88487a2411e1ee4dfb9f22a861492d20c4765150c0c794abd70f8147c');
});
