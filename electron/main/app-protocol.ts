import { readFile } from 'node:fs/promises';
import { protocol, type Session } from 'electron';
import { APP_SCHEME, contentTypeOf, findAsset } from './asset-lookup.ts';
import { CONTENT_SECURITY_POLICY } from './content-security-policy.ts';
import { readAssets } from './read-assets.ts';

/** Makes `app://` a scheme like https: an origin of its own, fetch, code cache. Must run before Electron is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
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

/** Serves the built screens below `root` as `app://mediadesk/…` in this session. */
export async function serveApp(session: Session, root: string): Promise<void> {
  const assets = await readAssets(root);
  session.protocol.handle(APP_SCHEME, async (request) => {
    if (request.method !== 'GET') return refuse(405);
    const file = findAsset(assets, request.url);
    if (file === null) return refuse(404);
    const body = new Uint8Array(await readFile(file));
    return new Response(body, { headers: { ...COMMON_HEADERS, 'Content-Type': contentTypeOf(file) } });
  });
}
