// The lines of docs/api-notes.md for those who write another client, run as they stand there.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientFor } from '../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';
import { wav } from '../../helpers/service/service-samples.ts';
import { authorize } from '../../helpers/service/service-sign-in.ts';
import { startSmallServer } from '../../helpers/wire/small-server.ts';

const run = promisify(execFile);
const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'api-notes.md');
const SECRET = 'a secret of the portal';

/** The code blocks of a language, in order. */
function blocks(language: string): string[] {
  return [...readFileSync(PAGE, 'utf8').matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\`\n`, 'g'))].map(
    ([, code = '']) => code,
  );
}

let service: ServiceProcess;
const dir = mkdtempSync(join(tmpdir(), 'mediadesk-api-notes-'));
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
  rmSync(dir, { recursive: true });
});

const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
);

describe('the notes on the API', () => {
  test.skipIf(!hasCurl)(
    'lead from nothing to a published file with the same bytes, and to its notification',
    async () => {
      const { url, seen } = await startSmallServer((_request, response) => response.end());
      await service.control('PATCH', '/settings', { webhook_url: url, webhook_secret: SECRET });
      const recording = join(dir, 'lecture.wav');
      writeFileSync(recording, wav());
      const redirectUri = 'urn:ietf:wg:oauth:2.0:oob';
      const { params } = await authorize(service, { redirectUri, pkce: false, state: 'abc123' });
      const shell = blocks('sh');
      expect(shell.length).toBeGreaterThanOrEqual(7);
      const script = `set -euo pipefail\n${shell.join('\n')}\nprintf '%s\\n' "$ITEM" "$STATUS" "$NEXT" "$LIST"\n`;
      const env = {
        ...process.env,
        SITE: service.baseUrl,
        CLIENT: service.clientId,
        CODE: params.get('code') ?? '',
        RECORDING: recording,
      };
      const { stdout } = await run('bash', ['-c', script], { env });
      const [item = '', status, next, list = ''] = stdout.trimEnd().split('\n');
      expect([status, next]).toEqual(['complete', '']);
      const found = JSON.parse(list).items;
      expect(found).toMatchObject([{ title: 'Lecture 1', status: 'published', links: { self: item } }]);
      const admin = await clientFor(service);
      const [file] = (await admin.get(`${item}/files`)).body.items;
      const { location } = (await admin.get(`${item}/files/${file.id}/content?json=1`)).body;
      expect(Buffer.from(await (await fetch(location)).arrayBuffer()).equals(wav())).toBe(true);

      const module = join(dir, 'notification.mjs');
      writeFileSync(module, blocks('js').join('\n'));
      const { readNotification } = await import(module);
      await expect.poll(() => seen.length, { timeout: 60_000 }).toBe(1);
      const { headers, body } = seen[0] ?? { headers: {}, body: '' };
      expect(readNotification(SECRET, headers, body)).toMatchObject({ event: 'encoding-completed', file_id: file.id });
      expect(readNotification(SECRET, { ...headers, 'x-library-delivery': '999' }, body)).toBe(null);
      expect(readNotification(SECRET, headers, `${body} `)).toBe(null);
    },
  );
});
