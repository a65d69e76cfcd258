import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { type AuditFilter, auditPages } from '../audit/audit-rows.ts';
import type { Store } from '../database/store.ts';
import { isFromHere } from './local-command.ts';

/**
 * Answers `GET /audit` with the rows as lines of JSON, oldest first, and a last line `{"end": true}`, without which the answer is not
 * complete. Query: `since` and `until` (epoch ms), `actor`. `token`: what a command must send; it is in a private file of the data
 * directory.
 */
export async function exportAudit(
  store: Store,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!isFromHere(request, token)) {
    response.writeHead(401, { 'cache-control': 'no-store' }).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' });
  // One for all pages: a listener for each would stay until the end.
  const closed = new Promise<void>((resolve) => void response.once('close', resolve));
  for await (const page of auditPages(store, filterOf(new URL(request.url ?? '', 'http://service').searchParams))) {
    const isWritten = response.write(page.map((row) => `${JSON.stringify(row)}\n`).join(''));
    if (!isWritten) await Promise.race([once(response, 'drain'), closed]);
    // Other requests come in between.
    await setImmediate();
    if (response.destroyed || !store.isOpen()) return;
  }
  response.end(`${JSON.stringify({ end: true })}\n`);
}

function filterOf(query: URLSearchParams): AuditFilter {
  const timeOf = (name: string) => {
    const text = query.get(name);
    return text === null ? undefined : Number(text) || 0;
  };
  return { since: timeOf('since'), until: timeOf('until'), actor: query.get('actor') ?? undefined };
}
