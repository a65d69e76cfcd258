import type { Host, Route } from './wire.ts';

type Row = [method: string, path: RegExp, route: Route];

const SITE: readonly Row[] = [
  ['GET', /^\/api2\/oauth\/authorize$/, 'authorize'],
  ['POST', /^\/api2\/oauth\/access_token$/, 'token'],
  ['GET', /^\/api2\/oauth\/tokeninfo$/, 'tokeninfo'],
  ['GET', /^\/api2\/users\/([^/]+)$/, 'user'],
  ['GET', /^\/api2\/collections\/tree$/, 'tree'],
  ['GET', /^\/api2\/collections$/, 'collections'],
  ['POST', /^\/api2\/collections$/, 'create-collection'],
  ['GET', /^\/api2\/collections\/([^/]+)$/, 'collection'],
  ['GET', /^\/api2\/media$/, 'list-items'],
  ['GET', /^\/api2\/media\/count$/, 'count-items'],
  ['POST', /^\/api2\/media$/, 'create-item'],
  ['GET', /^\/api2\/media\/([^/]+)$/, 'item'],
  ['POST', /^\/api2\/media\/([^/]+)$/, 'update-item'],
  ['DELETE', /^\/api2\/media\/([^/]+)$/, 'delete-item'],
  ['POST', /^\/api2\/media\/([^/]+)\/publish$/, 'publish'],
  ['POST', /^\/api2\/media\/([^/]+)\/add-tags$/, 'add-tags'],
  ['POST', /^\/api2\/media\/([^/]+)\/thumbs$/, 'create-thumb'],
  ['GET', /^\/api2\/media\/([^/]+)\/files$/, 'list-files'],
  ['POST', /^\/api2\/media\/([^/]+)\/files$/, 'create-file'],
  ['GET', /^\/api2\/media\/([^/]+)\/files\/([^/]+)$/, 'file'],
  ['DELETE', /^\/api2\/media\/([^/]+)\/files\/([^/]+)$/, 'delete-file'],
];

const EVERYWHERE: readonly Row[] = [
  ['', /^(?:\/.*)?\/put\/([^/]+)$/, 'destination'],
  ['', /^(?:\/.*)?\/notify\/([^/]+)$/, 'notify'],
];

/** Returns the purpose of a request, and the ids in its path. */
export function routeOf(host: Host, method: string, path: string, basePath: string): { route: Route; ids: string[] } {
  const below = path.startsWith(basePath) ? path.slice(basePath.length) : null;
  const rows = host === 'site' && below !== null ? SITE : [];
  for (const [wanted, pattern, route] of rows) {
    const found = wanted === method ? pattern.exec(below ?? '') : null;
    if (found) return { route, ids: found.slice(1).map(decodeURIComponent) };
  }
  for (const [, pattern, route] of EVERYWHERE) {
    const found = pattern.exec(path);
    if (found) return { route, ids: found.slice(1).map(decodeURIComponent) };
  }
  return { route: 'other', ids: [] };
}
