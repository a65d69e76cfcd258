import { describe, expect, it } from 'vitest';
import { contentResponse, findContent } from '../../../electron/main/content-response.ts';
import { contentAddress } from '../../../shared/contract/content-address.ts';

const ref = { siteId: 'a/b', mediaId: '.', fileId: 'ü?#\u0000' };
const ORIGIN = 'app://mediadesk';

describe('the address of a file', () => {
  it('is parsed for any identifiers, and only in the origin of its kind', () => {
    for (const kind of ['media', 'captions'] as const) {
      const path = contentAddress({ kind, ...ref });
      expect(findContent(`${ORIGIN}${path}`)).toEqual({ kind, ...ref });
      expect(findContent(`${ORIGIN}${path}?2`)).toEqual({ kind, ...ref });
      expect(findContent(`app://documents${path}`)).toBeNull();
    }
    const address = contentAddress({ kind: 'document', ...ref });
    expect(findContent(address)).toEqual({ kind: 'document', ...ref });
    expect(findContent(address.replace('app://documents', ORIGIN))).toBeNull();
  });

  it.each([
    'https://mediadesk/content/media/_a/_b/_c',
    'app://user@mediadesk/content/media/_a/_b/_c',
    'app://elsewhere/content/media/_a/_b/_c',
    'app://mediadesk/content/media/_a/_b',
    'app://mediadesk/content/media/_a/_b/_c/_d',
    'app://mediadesk/content/media/a/_b/_c',
    'app://mediadesk/content/media/_/_b/_c',
    'app://mediadesk/content/other/_a/_b/_c',
    'app://mediadesk/content/media/_%zz/_b/_c',
    'not an address',
  ])('is not %s', (address) => expect(findContent(address)).toBeNull());
});

describe('the response with a file', () => {
  const common = { 'Content-Security-Policy': 'x', 'X-Content-Type-Options': 'nosniff' };

  it('forwards status and byte range, forbids caching, and closes the file when the player stops', async () => {
    let closed = 0;
    async function* body() {
      yield new Uint8Array([1, 2]);
      yield new Uint8Array([3]);
    }
    const read = async (_ref: unknown, range: string | null) => ({
      status: 206 as const,
      headers: { 'content-type': 'application/octet-stream', 'content-range': String(range) },
      body: body(),
      close: async () => {
        closed += 1;
      },
    });
    const response = await contentResponse({ kind: 'media', ...ref }, 'bytes=0-', read, common);
    expect(response.status).toBe(206);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-range': 'bytes=0-',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value).toEqual(new Uint8Array([1, 2]));
    await reader?.cancel();
    expect(closed).toBe(1);
  });

  it('has the status 502, and no reason, when the file can’t be opened', async () => {
    const read = () => Promise.reject(new Error('https://cdn.example.org/secret'));
    const response = await contentResponse({ kind: 'media', ...ref }, null, read, common);
    expect(response.status).toBe(502);
    expect(await response.text()).toBe('');
  });
});
