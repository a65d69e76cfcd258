// The bytes of a recording over real connections that end in every way.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { openSound } from '../../../renderer/kit/waveform/sound-source.ts';

const TOTAL = 300_000;
let server: Server | null = null;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
});

async function serve(answer: (response: ServerResponse) => void): Promise<string> {
  const made = createServer((_request, response) => answer(response));
  server = made;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(made.address() as AddressInfo).port}/`;
}

/** Sends the head of a whole file, and a part of its bytes. */
function begin(response: ServerResponse, bytes: number): void {
  response.writeHead(200, { 'content-length': String(TOTAL) });
  response.write(Buffer.alloc(bytes));
}

/** Reads the stream of a recording; returns the bytes until its end, and how it ended. */
async function readAll(address: string, { bytes = 1e9, timeLimit = new AbortController().signal } = {}) {
  const sound = openSound({ address }, { bytes, timeLimit });
  let length = 0;
  let isWhole = false;
  try {
    for await (const part of await sound.stream()) length += part.length;
    isWhole = true;
  } catch {
    isWhole = false;
  }
  return { length, isWhole, stopped: sound.stopped(), received: sound.receivedBytes() };
}

describe('the bytes of a recording', () => {
  it('are whole when all of them came', async () => {
    const address = await serve((response) => {
      begin(response, TOTAL);
      response.end();
    });
    expect(await readAll(address)).toEqual({ length: TOTAL, isWhole: true, stopped: null, received: TOTAL });
  });

  it('are broken off when the connection is lost in the middle', async () => {
    const address = await serve((response) => {
      begin(response, 100_000);
      response.socket?.destroySoon();
    });
    expect(await readAll(address)).toMatchObject({ isWhole: false, stopped: 'broken-off' });
  });

  it('are broken off at the time limit, while the library sends nothing', async () => {
    const silent = await serve(() => {});
    expect(await readAll(silent, { timeLimit: AbortSignal.timeout(50) })).toEqual({
      length: 0,
      isWhole: false,
      stopped: 'broken-off',
      received: 0,
    });
    expect(await readAll(silent, { timeLimit: AbortSignal.abort() })).toMatchObject({ stopped: 'broken-off' });
  });

  it('are broken off when the library refuses them', async () => {
    const address = await serve((response) => response.writeHead(503).end());
    expect(await readAll(address)).toMatchObject({ isWhole: false, stopped: 'broken-off' });
  });

  it('end at the limit of bytes, and say so', async () => {
    const address = await serve((response) => {
      begin(response, TOTAL);
      response.end();
    });
    const found = await readAll(address, { bytes: 120_000 });
    expect(found).toMatchObject({ isWhole: false, stopped: 'size-limit' });
    expect(found.length).toBeLessThanOrEqual(120_000);
  });

  it('are not broken off when the reader needs no more', async () => {
    const address = await serve((response) => begin(response, 100_000));
    const sound = openSound({ address }, { bytes: 1e9, timeLimit: new AbortController().signal });
    const reader = (await sound.stream()).getReader();
    await reader.read();
    await reader.cancel();
    expect(sound.stopped()).toBeNull();
  });
});
