// The export of a long audit to a client that reads slowly.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openAudit } from '../../../../service/audit/audit.ts';
import { openStore } from '../../../../service/database/database.ts';
import { exportAudit } from '../../../../service/operate/audit-export.ts';

const PAGES = 30;

test('listens once for the end of a connection, however often its buffer is full, and ends when it closes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'library-audit-export-'));
  const store = await openStore(join(folder, 'library.sqlite'));
  await openAudit(store, Date.now);
  const name = 'x'.repeat(900);
  await store.transaction(async () => {
    for (let n = 0; n < PAGES * 500; n += 1)
      await store.run('INSERT INTO tags (display_name) VALUES (?)', `${n} ${name}`);
  });
  const begun = Promise.withResolvers<{ response: ServerResponse; done: Promise<void> }>();
  const server = createServer((request, response) => {
    begun.resolve({ response, done: exportAudit(store, 'token', request, response) });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    client.destroy();
    server.close();
    store.close();
    rmSync(folder, { recursive: true });
  });
  client.write('GET /audit HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer token\r\n\r\n');
  const { response, done } = await begun.promise;
  const before = response.listenerCount('close');
  let drains = 0;
  let most = 0;
  response.on('drain', () => {
    drains += 1;
    most = Math.max(most, response.listenerCount('close'));
  });
  const enough = Promise.withResolvers<void>();
  client.on('data', () => {
    if (drains < 10) return;
    client.pause();
    enough.resolve();
  });
  await enough.promise;
  expect(most).toBe(before);
  client.destroy();
  await done;
  expect(response.writableEnded).toBe(false);
});
