import { getEventListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTransport, type WireRequest } from '../../../../electron/engine/api/transport.ts';
import { directConnections } from '../../../helpers/engine/direct-network.ts';
import { startRawServer } from '../../../helpers/wire/raw-server.ts';
import { sendJson, startSmallServer } from '../../../helpers/wire/small-server.ts';

const REASON = new Error('stopped');

function requestTo(url: string, signal: AbortSignal, body: string | null = null): WireRequest {
  return { method: body === null ? 'GET' : 'POST', url: new URL(url), headers: {}, body, timeoutMs: 5000, signal };
}

function openTransport() {
  const transport = createTransport(directConnections());
  onTestFinished(() => transport.close());
  return transport;
}

/** Collects errors that would end the program. */
function uncaughtErrors(): unknown[] {
  const errors: unknown[] = [];
  const note = (error: unknown) => errors.push(error);
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', note);
  onTestFinished(() => {
    process.removeListener('uncaughtException', note);
    for (const other of others) process.on('uncaughtException', other);
  });
  return errors;
}

describe('an abort after the answer', () => {
  it('does not end the program, at whatever moment it comes', async () => {
    const uncaught = uncaughtErrors();
    const transport = openTransport();
    const { url } = await startSmallServer((_, response) => sendJson(response, 200, { title: 'x'.repeat(20_000) }));
    for (let turns = 0; turns < 40; turns += 1) {
      const controller = new AbortController();
      const exchange = transport.exchange(requestTo(url, controller.signal));
      const ended = exchange.then(
        () => controller.abort(REASON),
        () => {},
      );
      for (let turn = 0; turn < turns; turn += 1) await nextTurn();
      if (turns % 2 === 1) controller.abort(REASON);
      await ended;
      await nextTurn();
      await nextTurn();
    }
    expect(uncaught).toEqual([]);
  });

  it('does not end the program when the server answered before it read the request', async () => {
    const uncaught = uncaughtErrors();
    const transport = openTransport();
    const server = await startRawServer(async (peer) => {
      await peer.readHead();
      peer.socket.write('HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n{}');
    });
    const controller = new AbortController();
    const answer = await transport.exchange(requestTo(server.url.href, controller.signal, 'x'.repeat(50_000_000)));
    expect(answer.status).toBe(400);
    controller.abort(REASON);
    await nextTurn();
    await nextTurn();
    expect(uncaught).toEqual([]);
  });
});

describe('an exchange that has ended', () => {
  it('leaves no abort listener on the caller’s signal', async () => {
    const transport = openTransport();
    const { signal } = new AbortController();
    const server = await startSmallServer((_, response) => sendJson(response, 200, {}));
    for (let n = 0; n < 5; n += 1) {
      await transport.exchange(requestTo(server.url, signal));
      await transport.exchange(requestTo(server.url, signal, '{}'));
    }
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
