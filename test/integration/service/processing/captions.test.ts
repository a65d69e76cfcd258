import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkCaptions } from '../../../../electron/engine/common/check-captions.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { mp4 } from '../../../helpers/service/service-samples.ts';

const CUE = '1\n00:00:01,000 --> 00:00:02,000\n';
const SPOKEN = `${CUE}Grüße\n`;
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();
const FIXTURES = join(import.meta.dirname, '../../../fixtures/captions');

function isAccepted(bytes: Uint8Array): boolean {
  try {
    checkCaptions(bytes);
    return true;
  } catch {
    return false;
  }
}

function msToSplit(text: string): number {
  const startedAt = performance.now();
  if (text.split('').length !== text.length) throw new Error('The text was not split.');
  return performance.now() - startedAt;
}

describe('the service', () => {
  let service: ServiceProcess;
  let admin: ServiceClient;
  beforeAll(async () => {
    service = await startService({ env: { ...process.env, PATH: '/nowhere' } });
    admin = await clientFor(service);
  });
  afterAll(() => service?.stop());

  test.each([
    ['SRT', Buffer.from(`\ufeff${SPOKEN}`, 'utf16le'), 'complete'],
    ['DFXP', bigEndian('\ufeff<?xml version="1.0" encoding="UTF-16"?><tt><p>A</p></tt>'), 'complete'],
    ['WebVTT', Buffer.from('\ufeffWEBVTT\n\n00:01.000 --> 00:02.000\nA\n', 'utf16le'), 'error'],
  ])('accepts captions in UTF-16, except WebVTT, which must be UTF-8: %s', async (_format, bytes, status) => {
    const item = await admin.createItem('Captioned');
    const id = (await admin.upload(item, 'v.mp4', mp4())).split('/').at(-1);
    const file = await admin.upload(item, 'c.srt', bytes, { encoded_from_id: id, upload_type: 'captions' });
    await expect.poll(async () => (await admin.get(file)).body.status).toBe(status);
  });

  test.each(readdirSync(FIXTURES).filter((name) => name !== 'README.md'))(
    'accepts %s exactly when the app accepts it, and then has its text as WebVTT',
    async (name) => {
      const bytes = readFileSync(join(FIXTURES, name));
      const item = await admin.createItem('Captioned');
      const id = (await admin.upload(item, 'v.mp4', mp4())).split('/').at(-1);
      const file = await admin.upload(item, name, bytes, { encoded_from_id: id, upload_type: 'captions' });
      await expect.poll(async () => (await admin.get(file)).body.status).not.toBe('processing');
      const { status } = (await admin.get(file)).body;
      expect(status).toBe(isAccepted(bytes) ? 'complete' : 'error');
    },
  );

  const many = (piece: string, bytes = 10_000_000) => piece.repeat(Math.floor(bytes / piece.length));

  test.each([
    [
      'comments that can be split in exponentially many ways',
      `<!---->${many('\t<!--l><tt\t-->', 400)}\t><tt\t`,
      'error',
    ],
    ['less-than signs', CUE + many('<'), 'complete'],
    ['ampersands', CUE + many('&'), 'complete'],
    ['cues', many(`${CUE}x\n\n`), 'complete'],
    ['line ends', CUE + many('\n'), 'error'],
    ['blank lines within a cue', `${CUE}A${many('\n')}B`, 'complete'],
    ['arrows', many('a --> b\n'), 'error'],
  ])(
    'answers other requests soon while it processes 10 MB of captions with %s',
    { timeout: 300_000 },
    async (_what, text, status) => {
      const item = await admin.createItem('Captioned');
      const id = (await admin.upload(item, 'v.mp4', mp4())).split('/').at(-1);
      const file = await admin.upload(item, 'v.srt', Buffer.from(text), {
        encoded_from_id: id,
        upload_type: 'captions',
      });
      let longest = 0;
      for (let done = false; !done; ) {
        const startedAt = performance.now();
        done = (await admin.get(file)).body.status !== 'processing';
        longest = Math.max(longest, performance.now() - startedAt);
      }
      expect((await admin.get(file)).body.status).toBe(status);
      // Two seconds, or more on a slow computer: 20 times the time that it takes to split the text.
      expect(longest).toBeLessThan(Math.max(2000, 20 * msToSplit(text)));
    },
  );
});
