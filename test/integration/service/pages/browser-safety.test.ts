import { describe, expect, test } from 'vitest';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { pdf, png, wav } from '../../../helpers/service/service-samples.ts';

const SCRIPT = '<script>document.title = "run"</script>';
const TTML = `<?xml version="1.0"?><tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="0s" end="1s">x</p></div>
<script xmlns="http://www.w3.org/1999/xhtml">document.title = "run"</script></body></tt>`;

const service = await serviceOfFile();
const admin = await clientFor(service);

async function contentOf(name: string, bytes: Uint8Array, fields: Record<string, unknown> = {}) {
  const item = await admin.createItem('Safe');
  const path = await admin.upload(item, name, bytes, fields);
  await admin.processed(path);
  const { location } = (await admin.get(`${path}/content?json`)).body;
  const response = await fetch(location);
  await response.arrayBuffer();
  const header = (each: string) => response.headers.get(each) ?? '';
  return { location: location as string, item, path, response, header };
}

describe('uploaded bytes', () => {
  test.each([
    ['page.html', 'blob', Buffer.from(`<!doctype html>${SCRIPT}`)],
    ['page.xhtml', 'blob', Buffer.from(`<html xmlns="http://www.w3.org/1999/xhtml">${SCRIPT}</html>`)],
    ['picture.svg', 'blob', Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`)],
    ['picture.png', 'blob', Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`)],
    ['clip.mp4', 'blob', Buffer.from(`<!doctype html>${SCRIPT}`)],
    ['program.js', 'blob', Buffer.from('document.title = "run"')],
    ['feed.xml', 'blob', Buffer.from(`<x xmlns:h="http://www.w3.org/1999/xhtml"><h:script>1</h:script></x>`)],
    ['page', 'blob', Buffer.from(`<!doctype html>${SCRIPT}`)],
    ['page.html', 'doc', Buffer.from(`<!doctype html>${SCRIPT}`)],
    ['picture.svg', 'image', Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`)],
  ])(
    'with the name %s and the type %s are a sandboxed download with a content type that a browser does not run',
    async (name, type, bytes) => {
      const { header } = await contentOf(name, bytes, { upload_type: type });
      expect(header('content-disposition')).toMatch(/^attachment;/);
      expect(header('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
      expect(header('content-security-policy')).not.toContain('allow-');
      expect(header('x-content-type-options')).toBe('nosniff');
      expect(header('content-type')).not.toMatch(/html|svg|xml|script|^text\/plain/);
    },
  );

  test('of XML captions are a download, because XML can be a page with scripts', async () => {
    const item = await admin.createItem('Captioned');
    const video = await admin.post(`${item}/files`, { upload_name: 'a.mp4', upload_size: 1, upload_type: 'video' });
    const fields = { upload_type: 'captions', encoded_from_id: video.body.id };
    const path = await admin.upload(item, 'a.dfxp', Buffer.from(TTML), fields);
    await admin.processed(path);
    const { location } = (await admin.get(`${path}/content?json`)).body;
    const { headers } = await fetch(location);
    expect(headers.get('content-type')).toBe('application/ttml+xml');
    expect(headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(headers.get('content-security-policy')).toMatch(/^sandbox;/);
  });

  test.each([
    ['tone.wav', wav(1), 'audio/wav'],
    ['picture.png', png(), 'image/png'],
  ])('with the name %s are shown inline, in a sandbox', async (name, bytes, type) => {
    const { header } = await contentOf(name, bytes);
    expect(header('content-type')).toBe(type);
    expect(header('content-disposition')).toMatch(/^inline;/);
    expect(header('content-security-policy')).toMatch(/^sandbox;/);
  });

  test('of a PDF are shown inline, under a policy without scripts', async () => {
    const { header } = await contentOf('paper.pdf', pdf());
    expect([header('content-type'), header('content-disposition').split(';')[0]]).toEqual([
      'application/pdf',
      'inline',
    ]);
    const policy = header('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/script-src|unsafe-eval/);
  });

  test('have the sandbox and nosniff headers also in answers to HEAD and range requests, and for thumbnails', async () => {
    const { location, item } = await contentOf('picture.png', png(), { upload_type: 'image' });
    await admin.until(`${item}/thumbs`, ({ items }) => items.length > 0);
    const [thumb] = (await admin.get(`${item}/thumbs`)).body.items;
    for (const [url, init] of [
      [location, { method: 'HEAD' }],
      [location, { headers: { range: 'bytes=0-3' } }],
      [thumb.content_url, {}],
    ] as const) {
      const { headers, ok } = await fetch(url, init);
      expect(ok).toBe(true);
      expect(headers.get('content-security-policy')).toMatch(/^sandbox;/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test.each([
    'a\r\nX-Injected: 1.bin',
    'a"; filename="b.html',
    'a%0d%0aX-Injected: 1.bin',
    '../../../etc/passwd',
    '..',
    'ä\u2028b.bin',
    `${'x'.repeat(490)}.bin`,
  ])('with the name %j inject nothing into the headers of the answer', async (name) => {
    const item = await admin.createItem('Named');
    const created = await admin.post(`${item}/files`, { upload_name: name, upload_size: 1, upload_type: 'blob' });
    if (/[\r\n]/.test(name)) {
      expect(created.status).toBe(422);
      return;
    }
    const { header, response } = await contentOf(name, Buffer.from('x'), { upload_type: 'blob' });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-injected')).toBeNull();
    expect(header('content-disposition')).toMatch(
      /^attachment; filename="[^"\\%;\r\n]*"; filename\*=UTF-8''[\w%.~!-]*$/,
    );
  });
});

describe('every answer', () => {
  test.each([
    '/api2/collections',
    '/api2/nothing',
    '/nothing',
    '/cdn/x/y',
    '/watch/999',
    '/embed/999',
    '/browse/none',
    '/api2/oauth/authorize',
    '/api2/oauth/tokeninfo',
    '/api2/media/embed-template',
    '/%zz',
  ])('to %s has a content security policy that permits no scripts, in all dialects', async (path) => {
    for (const dialect of ['lean', 'strict', 'reference']) {
      await service.control('PATCH', '/settings', { dialect });
      const { headers } = await fetch(service.baseUrl + path, { redirect: 'manual' });
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'/);
      expect(headers.get('content-security-policy')).not.toMatch(/script-src|unsafe/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  test('with a page cannot be framed by other sites, except an embed page', async () => {
    const item = await admin.createItem('Framed');
    await admin.post(`${item}/publish`);
    const group = (await admin.get('/api2/groups/public')).body.id;
    const given = await admin.post('/api2/memberships', { group_id: group, collection_id: '1', role_id: '4' });
    const id = item.split('/').at(-1);
    const policyOf = async (path: string) => {
      const { headers, status } = await fetch(service.baseUrl + path);
      expect(status).toBe(200);
      return [headers.get('content-security-policy')?.includes('frame-ancestors'), headers.get('x-frame-options')];
    };
    expect(await policyOf(`/watch/${id}`)).toEqual([true, 'DENY']);
    expect(await policyOf('/browse/library')).toEqual([true, 'DENY']);
    expect(await policyOf(`/embed/${id}`)).toEqual([false, null]);
    await admin.delete(given.location);
  });
});

describe('a page of another site', () => {
  const ask = async (origin: string, method = 'GET') => {
    const { headers } = await fetch(`${service.baseUrl}/api2/collections`, {
      method,
      headers: {
        origin,
        ...(method === 'OPTIONS' ? { 'access-control-request-method': 'POST' } : {}),
        authorization: `Bearer ${admin.tokens.access_token}`,
      },
    });
    return [headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')];
  };

  test('may read answers only when its origin is in cors_origins, and never with cookies', async () => {
    await service.control('PATCH', '/settings', { cors_origins: ['https://good.example'] });
    for (const method of ['GET', 'OPTIONS']) {
      expect(await ask('https://good.example', method)).toEqual(['https://good.example', null]);
      for (const origin of [
        'null',
        'https://good.example.evil.example',
        'https://sub.good.example',
        'http://good.example',
        'https://good.example:444',
        'https://GOOD.example',
        'https://evil.example/https://good.example',
      ]) {
        expect(await ask(origin, method)).toEqual([null, null]);
      }
    }
    const { headers } = await fetch(`${service.baseUrl}/api2/collections`, {
      headers: { origin: 'https://good.example' },
    });
    expect(headers.get('vary')).toMatch(/origin/i);
    await service.control('PATCH', '/settings', { cors_origins: [] });
  });

  test.each(['null', '*', 'https://good.example/', 'good.example', 'https://good.example/path', 'file://', ''])(
    'cannot be listed in cors_origins as %j',
    async (origin) => {
      await expect(service.control('PATCH', '/settings', { cors_origins: [origin] })).rejects.toThrow('422');
    },
  );
});
