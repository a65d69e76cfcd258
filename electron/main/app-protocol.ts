import { readFile } from 'node:fs/promises';
import { protocol, type Session } from 'electron';
import type { ThumbnailRef } from '../../shared/contract/thumbnail-address.ts';
import { APP_SCHEME, contentTypeOf, findAsset, findThumbnail } from './asset-lookup.ts';
import { contentResponse, findContent, type ReadContent } from './content-response.ts';
import { CONTENT_SECURITY_POLICY } from './content-security-policy.ts';
import { readAssets } from './read-assets.ts';

/**
 * Makes `app://` a scheme like https: a separate origin, fetch, code cache, and media that play while they load. Must run before
 * Electron is ready.
 */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: APP_SCHEME,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true, stream: true },
    },
  ]);
}

const COMMON_HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

function refuse(status: number): Response {
  return new Response(null, { status, headers: COMMON_HEADERS });
}

/** Returns the bytes of a thumbnail; null when there is none. */
type ReadThumbnail = (ref: ThumbnailRef, signal: AbortSignal) => Promise<Uint8Array | null>;

/** The content that the shell serves besides the screens. */
interface ServedContent {
  readThumbnail: ReadThumbnail;
  readContent: ReadContent;
}

/** Serves the built screens below `root` as `app://mediadesk/…` in this session, the thumbnails of items, and their files. */
export async function serveApp(
  session: Session,
  root: string,
  { readThumbnail, readContent }: ServedContent,
): Promise<void> {
  const assets = await readAssets(root);
  session.protocol.handle(APP_SCHEME, async (request) => {
    if (request.method !== 'GET') return refuse(405);
    const thumbnail = findThumbnail(request.url);
    if (thumbnail !== null) return thumbnailResponse(thumbnail, readThumbnail);
    const content = findContent(request.url);
    if (content !== null) return contentResponse(content, request.headers.get('range'), readContent, COMMON_HEADERS);
    const file = findAsset(assets, request.url);
    if (file === null) return refuse(404);
    const body = new Uint8Array(await readFile(file));
    return new Response(body, { headers: { ...COMMON_HEADERS, 'Content-Type': contentTypeOf(file) } });
  });
}

/**
 * Answers immediately and sends the bytes when they arrive: when the window no longer needs an answer, Electron only cancels the
 * body, so the body has to exist before. A thumbnail that does not exist has no bytes, which an image treats as an error.
 */
function thumbnailResponse(ref: ThumbnailRef, readThumbnail: ReadThumbnail): Response {
  const controller = new AbortController();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(stream) {
        const bytes = await readThumbnail(ref, controller.signal).catch(() => null);
        if (controller.signal.aborted) return;
        if (bytes !== null) stream.enqueue(bytes);
        stream.close();
      },
      cancel: () => controller.abort(),
    },
    { highWaterMark: 0 },
  );
  // The engine has checked that the bytes are a picture. The browser must not store them a second time.
  const headers = { ...COMMON_HEADERS, 'Content-Type': 'application/octet-stream', 'Cache-Control': 'no-store' };
  return new Response(body, { headers });
}
