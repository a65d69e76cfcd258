// Thumbnails from the real service in every dialect, and from libraries with invalid answers.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { SiteClient } from '../../../../electron/engine/api/http-client.ts';
import { THUMBNAIL_LIMITS } from '../../../../electron/engine/library/thumbnails/fetch-thumbnail.ts';
import { createThumbnailCache } from '../../../../electron/engine/library/thumbnails/thumbnail-cache.ts';
import { createThumbnails, type Thumbnails } from '../../../../electron/engine/library/thumbnails/thumbnails.ts';
import { createCacheFolder } from '../../../../electron/engine/ports/system/node-cache-folder.ts';
import { aSite } from '../../../helpers/data/sites.ts';
import { captureLogger } from '../../../helpers/engine/capture-logger.ts';
import { clearJournal, journalOf } from '../../../helpers/service/journal.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { png } from '../../../helpers/service/service-samples.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';
import { sendJson, startSmallServer } from '../../../helpers/wire/small-server.ts';
import { accountsInTest } from '../account/accounts-in-test.ts';
import { person } from '../account/person.ts';
import { clientOf } from '../api/site-client.ts';

const never = () => new AbortController().signal;
const version = '2026-01-01T00:00:00Z';
const MEDIA = { subject: 'media', isStoredOnly: false } as const;

function cacheFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mediadesk-thumbnails-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe.each(['reference', 'lean', 'strict'] as const)('a library with the dialect %s', (dialect) => {
  let service: ServiceProcess;
  let direct: ServiceClient;
  beforeAll(async () => {
    service = await startService({ dialect });
    direct = await clientFor(service);
  });
  afterAll(() => service.stop());

  async function open() {
    const { accounts, logger } = accountsInTest(person(service.admin));
    const { baseUrl, clientId } = service;
    const { id: siteId } = await accounts.signIn({ baseUrl, clientId, browser: 'embedded' });
    const folder = cacheFolder();
    const clock = new ManualClock();
    const cache = createThumbnailCache({ folder: createCacheFolder(folder), limitBytes: 1e6, clock });
    const options = { accounts, cache, clock, logger, limits: THUMBNAIL_LIMITS, userAgent: 'test' };
    const thumbnails = createThumbnails(options);
    onTestFinished(() => thumbnails.stop());
    return { accounts, siteId, folder, thumbnails, logger };
  }

  async function itemWithThumbnail(): Promise<{ mediaId: string; bytes: Buffer }> {
    const item = await direct.createItem('With a picture');
    const bytes = png(320, 180);
    const { body } = await direct.post(`${item}/thumbs`, { upload_name: 'a.png', upload_size: bytes.length });
    const { upload_url: url, upload_file_param: name, upload_post_params: fields } = body.upload.protocols.form_data;
    const form = new FormData();
    for (const [key, value] of Object.entries(fields as Record<string, string>)) form.append(key, value);
    form.append(name, new Blob([new Uint8Array(bytes)]), 'a.png');
    expect((await fetch(url, { method: 'POST', body: form, redirect: 'manual' })).status).toBeLessThan(400);
    return { mediaId: item.split('/').at(-1) ?? '', bytes };
  }

  it('sends the thumbnail of an item once; then it is read from the cache', async () => {
    const { thumbnails, siteId, folder, logger } = await open();
    const { mediaId, bytes } = await itemWithThumbnail();
    await clearJournal(service);
    const ref = { siteId, ...MEDIA, id: mediaId, version };
    const both = await Promise.all([thumbnails.get(ref, never()), thumbnails.get(ref, never())]);
    for (const found of both) expect(found).toEqual({ contentType: 'image/png', bytes });
    expect(await thumbnails.get(ref, never())).toEqual({ contentType: 'image/png', bytes });
    const content = (await journalOf(service)).filter(({ path }) => path?.startsWith('/cdn/'));
    expect(content).toHaveLength(1);
    expect(filesIn(folder)).toHaveLength(1);
    // A signed address is never stored or logged.
    for (const file of filesIn(folder)) expect(readFileSync(file).includes('/cdn/')).toBe(false);
    expect(logger.text()).not.toContain('/cdn/');
  });

  it('sends the thumbnail again when the item has changed, and when it was reported as changed', async () => {
    const { thumbnails, siteId } = await open();
    const { mediaId } = await itemWithThumbnail();
    await thumbnails.get({ siteId, ...MEDIA, id: mediaId, version }, never());
    await clearJournal(service);
    const fetched = async () => (await journalOf(service)).filter(({ path }) => path?.startsWith('/cdn/')).length;
    await thumbnails.get({ siteId, ...MEDIA, id: mediaId, version: 'later' }, never());
    expect(await fetched()).toBe(1);
    thumbnails.forget({ siteId, subject: 'media', id: mediaId });
    await thumbnails.get({ siteId, ...MEDIA, id: mediaId, version: 'later' }, never());
    expect(await fetched()).toBe(2);
  });

  it('is asked only once for the thumbnail of an item that has none', async () => {
    const { thumbnails, siteId } = await open();
    const item = await direct.createItem('Without a picture');
    const ref = { siteId, ...MEDIA, id: item.split('/').at(-1) ?? '', version };
    expect(await thumbnails.get(ref, never())).toBeNull();
    await clearJournal(service);
    expect(await thumbnails.get(ref, never())).toBeNull();
    expect((await journalOf(service)).filter(({ path }) => path?.includes('thumbs'))).toEqual([]);
  });

  it('has no thumbnail for an unknown item or account, or after the sign-out, which removes the cached files', async () => {
    const { accounts, thumbnails, siteId, folder } = await open();
    const { mediaId } = await itemWithThumbnail();
    expect(await thumbnails.get({ siteId, ...MEDIA, id: '999999', version }, never())).toBeNull();
    expect(await thumbnails.get({ siteId: 'nobody', ...MEDIA, id: mediaId, version }, never())).toBeNull();
    expect(await thumbnails.get({ siteId, ...MEDIA, id: mediaId, version }, never())).not.toBeNull();
    expect(filesIn(folder)).toHaveLength(1);
    await accounts.signOut(siteId);
    expect(await thumbnails.get({ siteId, ...MEDIA, id: mediaId, version }, never())).toBeNull();
    expect(filesIn(folder)).toEqual([]);
  });
});

describe('thumbnails of a library with unusual answers', () => {
  const site = aSite('site', { baseUrl: '', userId: null, displayName: '', accountName: 'Ada' });

  function thumbnailsOf(client: SiteClient): Thumbnails & { folder: string } {
    const folder = cacheFolder();
    const clock = new ManualClock();
    const thumbnails = createThumbnails({
      accounts: { clientFor: () => client, list: () => [site], onDidChangeSites: () => () => {} },
      cache: createThumbnailCache({ folder: createCacheFolder(folder), limitBytes: 1e6, clock }),
      clock,
      limits: THUMBNAIL_LIMITS,
      logger: captureLogger(),
      userAgent: 'test',
    });
    onTestFinished(() => thumbnails.stop());
    return { ...thumbnails, folder };
  }

  /** Starts a library with one thumbnail for each item, at `/picture/<id>`. */
  async function library(picture: (id: string, response: http.ServerResponse) => void) {
    const server = await startSmallServer(({ url }, response) => {
      const id = /(?:media|picture)\/([^/?]+)/.exec(url)?.[1] ?? '';
      if (url.startsWith('/picture/')) picture(id, response);
      else sendJson(response, 200, { items: [{ content_url: `${server.url}/picture/${id}` }] });
    });
    return { server, thumbnails: thumbnailsOf(clientOf(server.url)) };
  }
  const send = (response: http.ServerResponse, bytes: Buffer | string) => {
    response.writeHead(200, { 'content-type': 'image/png' });
    response.end(bytes);
  };

  it('are not returned or stored when they have 100 megapixels, 11 MiB, another type or missing bytes', async () => {
    const huge = await sharp({
      create: { width: 10_000, height: 10_000, channels: 3, background: '#123456' },
      limitInputPixels: false,
    })
      .png({ compressionLevel: 9 })
      .toBuffer();
    const pictures: Record<string, (response: http.ServerResponse) => void> = {
      huge: (response) => send(response, huge),
      large: (response) => send(response, Buffer.concat([png(10, 10), Buffer.alloc(11 * 1024 * 1024)])),
      svg: (response) => send(response, '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      page: (response) => send(response, '<!doctype html><script>alert(1)</script>'),
      empty: (response) => send(response, ''),
      expired: (response) => sendJson(response, 403, { error: 'expired' }),
      loops: (response) => response.writeHead(302, { location: '/picture/loops' }).end(),
      away: (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      broken(response) {
        response.writeHead(200, { 'content-length': '5000' });
        response.write(png(10, 10).subarray(0, 40));
        setImmediate(() => response.destroy());
      },
    };
    expect(huge.length).toBeLessThan(1024 * 1024);
    const { thumbnails } = await library((id, response) => pictures[id]?.(response));
    for (const mediaId of Object.keys(pictures)) {
      expect([mediaId, await thumbnails.get({ siteId: 'site', ...MEDIA, id: mediaId, version }, never())]).toEqual([
        mediaId,
        null,
      ]);
    }
    expect(filesIn(thumbnails.folder)).toEqual([]);
  });

  it('are null for lists of any form that contain no address', async () => {
    const answers: unknown[] = [[], {}, null, 'x', 7, [null], [{ content_url: 5 }], { items: [{ width: 1 }] }, [[]]];
    for (const answer of answers) {
      const server = await startSmallServer((_request, response) => sendJson(response, 200, answer));
      const thumbnails = thumbnailsOf(clientOf(server.url));
      expect(await thumbnails.get({ siteId: 'site', ...MEDIA, id: '1', version }, never())).toBeNull();
    }
  });

  it('are found in lists of any known form, and the token is sent to the API only', async () => {
    const bytes = png(20, 10);
    const seen: (string | undefined)[] = [];
    const store = await startSmallServer(({ headers }, response) => {
      seen.push(headers.authorization);
      send(response, bytes);
    });
    const forms: ((url: string) => unknown)[] = [
      (url) => [{ content_url: url, width: 640 }],
      (url) => ({ items: [{ url }] }),
      (url) => ({ thumbs: [{ src: url }] }),
      (url) => ({ thumbs: { items: [{ links: { content: { href: url } } }] } }),
      (url) => [
        { width: 9000, href: 'http://127.0.0.1:9/too-wide' },
        { width: 400, location: url },
      ],
      () => [{ content_url: '/api2/media/1/thumbs/7/content' }],
    ];
    for (const form of forms) {
      const server = await startSmallServer(({ url }, response) => {
        if (url.endsWith('/content')) response.writeHead(302, { location: `${store.url}/signed` }).end();
        else sendJson(response, 200, form(`${store.url}/signed`));
      });
      const thumbnails = thumbnailsOf(clientOf(server.url));
      expect(await thumbnails.get({ siteId: 'site', ...MEDIA, id: '1', version }, never())).toMatchObject({ bytes });
    }
    expect(seen).toEqual(forms.map(() => undefined));
  });

  it('are requested at most six at a time, the latest first, and a request ends when its caller aborts it', async () => {
    const open = new Map<string, http.ServerResponse>();
    const order: string[] = [];
    const ended: string[] = [];
    const changed = { notify: () => {} };
    const { thumbnails } = await library((id, response) => {
      order.push(id);
      open.set(id, response);
      response.on('close', () => {
        open.delete(id);
        if (!response.writableFinished) ended.push(id);
        changed.notify();
      });
      changed.notify();
    });
    const until = (isTrue: () => boolean) =>
      new Promise<void>((resolve) => {
        const check = () => isTrue() && resolve();
        changed.notify = check;
        check();
      });
    const controllers = Array.from({ length: 20 }, () => new AbortController());
    const all = controllers.map(({ signal }, index) =>
      thumbnails.get({ siteId: 'site', ...MEDIA, id: String(index), version }, signal),
    );
    await until(() => open.size === 6);
    expect(order.toSorted()).toEqual(['0', '1', '2', '3', '4', '5']);
    // Item 3 was scrolled past, so the latest request uses its slot.
    controllers[3]?.abort();
    expect(await all[3]).toBeNull();
    await until(() => order.length === 7);
    expect(ended).toEqual(['3']);
    expect(order[6]).toBe('19');
    for (let left = 19; left > 0; left -= 1) {
      await until(() => open.size > 0);
      expect(open.size).toBeLessThanOrEqual(6);
      const [id, response] = [...open][0] ?? [];
      open.delete(id ?? '');
      if (response !== undefined) send(response, png(20, 10));
    }
    expect((await Promise.all(all)).filter((found) => found !== null)).toHaveLength(19);
    expect(order.slice(6)).toEqual(Array.from({ length: 14 }, (_, index) => String(19 - index)));
  });
});
