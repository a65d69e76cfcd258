import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { protocol, type Session } from 'electron';
import { APP_SCHEME, type AssetTable, contentTypeOf, findAsset } from './asset-lookup.ts';
import { CONTENT_SECURITY_POLICY } from './content-security-policy.ts';

/** Makes `app://` a scheme like https: an origin of its own, fetch, code cache. Must run before Electron is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/** All plain files below `root`. Symbolic links are left out, so nothing outside can be reached through one. */
export async function readAssets(root: string): Promise<AssetTable> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [`/${relative(root, file).split(sep).map(encodeURIComponent).join('/')}`, file]));
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

/** Answers `app://mediadesk/…` in this session with the built screens below `root`. */
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
