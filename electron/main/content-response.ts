import { type ContentRef, parseContentAddress } from '../../shared/contract/content-address.ts';
import type { ShownContent } from '../engine/library/files/shown-content.ts';
import { APP_SCHEME } from './asset-lookup.ts';

/** Opens a file of an item; throws when it can't be read. */
export type ReadContent = (ref: ContentRef, range: string | null, signal: AbortSignal) => Promise<ShownContent>;

/** Returns the file that a request names, or null. */
export function findContent(requestUrl: string): ContentRef | null {
  const url = URL.parse(requestUrl);
  if (url?.protocol !== `${APP_SCHEME}:` || url.username !== '' || url.password !== '') return null;
  return parseContentAddress(`${url.protocol}//${url.host}`, url.pathname);
}

/** The page around a PDF consists of Chromium's viewer, which needs an embedded object and inline styles; scripts stay off. */
const DOCUMENT_POLICY =
  "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/**
 * Answers with the bytes of a file. Bytes are read only when the player requests them, so a paused player pauses the transfer. An
 * error before the first byte becomes a status, which a player reports as an error; the screen asks the engine for the reason.
 */
export async function contentResponse(
  ref: ContentRef,
  range: string | null,
  read: ReadContent,
  commonHeaders: Readonly<Record<string, string>>,
): Promise<Response> {
  const controller = new AbortController();
  let content: ShownContent;
  try {
    content = await read(ref, range, controller.signal);
  } catch {
    return new Response(null, { status: 502, headers: { ...commonHeaders } });
  }
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(stream) {
        try {
          const { value, done } = await content.body.next();
          if (done) stream.close();
          else stream.enqueue(value);
        } catch (error) {
          stream.error(error);
        }
      },
      async cancel() {
        controller.abort();
        await content.close();
      },
    },
    { highWaterMark: 0 },
  );
  const policy: Record<string, string> = ref.kind === 'document' ? { 'Content-Security-Policy': DOCUMENT_POLICY } : {};
  // Bytes of a library are never stored by the window.
  const headers = { ...commonHeaders, ...policy, ...content.headers, 'Cache-Control': 'no-store' };
  return new Response(body, { status: content.status, headers });
}
