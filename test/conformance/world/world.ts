import { randomBytes } from 'node:crypto';
import { type Control, createControl } from '../control/control.ts';
import { Api } from '../http/api.ts';
import type { Credentials } from '../http/authorization.ts';
import { Session } from '../http/session.ts';
import { Site, type Transport } from '../http/site.ts';
import type { Options } from '../options.ts';
import { Failure, Skip } from '../suite/failure.ts';
import { createMakers, type Makers } from './makers.ts';
import { createPeople, type People, signIn } from './people.ts';
import { Registry } from './registry.ts';

/** Everything that a case needs: the server, the administrator, functions that create resources, and users. */
export interface World extends Makers, People {
  readonly options: Options;
  readonly site: Site;
  /** The administrator. */
  readonly api: Api;
  readonly clientId: string;
  /** A unique name of letters, digits and hyphens; begins with the name of the run. */
  name(label: string): string;
  /** A unique word of letters, for searching. */
  word(): string;
  /** Calls `make` once per run for each key; returns the result of that call each time. */
  once<T>(key: string, make: () => Promise<T>): Promise<T>;
  /** The collection that contains everything that the suite creates. */
  homeId(): Promise<string>;
  /** A root collection that is visible to the administrator. */
  rootId(): Promise<string>;
  /** The administrator's password; throws a `Skip` without one. */
  credentials(): Credentials;
  /** The site's control port; throws a `Skip` without one. */
  control(): Control;
  /** Throws a `Skip` for a case that could do damage on a server that violates the API, unless `--harmful` permits it. */
  harmful(): void;
  /** Removes everything that was created; returns what could not be removed. */
  cleanUp(): Promise<string[]>;
}

/** Signs the administrator in. Throws when that fails, because nothing can be tested without it. */
export async function openWorld(options: Options, stop: AbortSignal, transport?: Transport): Promise<World> {
  const site = new Site(options.baseUrl, stop, transport);
  const session = await firstSession(site, options);
  const api = new Api(site, session);
  const registry = new Registry();
  const run = `conf-${randomBytes(4).toString('hex')}`;
  const kept = new Map<string, Promise<unknown>>();
  let names = 0;

  function name(label: string): string {
    names += 1;
    return `${run}-${label}-${names}`;
  }

  function once<T>(key: string, make: () => Promise<T>): Promise<T> {
    const known = kept.get(key) ?? make();
    kept.set(key, known);
    return known as Promise<T>;
  }

  const rootId = () => once('root', () => findRoot(api));
  const homeId = () =>
    once('home', async () => {
      const display_name = name('home');
      const note = registry.expect('collection', display_name);
      const body = { display_name, parent_id: await rootId(), inherit_memberships: false };
      const made = make.made(await api.post('/api2/collections', body));
      note(made.path);
      return made.id;
    });
  const shelfId = () => once('shelf', async () => (await make.collection({ display_name: name('shelf') })).id);
  const make = createMakers({ api, registry, name, homeId, shelfId });
  const given = pair(options.secondEmail, options.secondPassword);
  const people = createPeople({ site, clientId: options.clientId, given, make, once, name });

  return {
    ...make,
    ...people,
    options,
    site,
    api,
    clientId: options.clientId,
    name,
    word: () =>
      `zq${randomBytes(6)
        .toString('hex')
        .replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '')}`,
    once,
    homeId,
    rootId,
    credentials() {
      const own = pair(options.email, options.password);
      if (!own) throw new Skip('needs --email and --password');
      return own;
    },
    control() {
      if (options.controlUrl === null) throw new Skip('needs --control-url and --control-token');
      return createControl(options.controlUrl, options.controlToken ?? '');
    },
    harmful() {
      if (!options.harmful) throw new Skip('would do harm on a server that does not keep its word; needs --harmful');
    },
    cleanUp() {
      const calm = site.unstopped();
      return registry.removeAll(new Api(calm, session.on(calm)));
    },
  };
}

function pair(email: string | null, password: string | null): Credentials | null {
  return email !== null && password !== null ? { email, password } : null;
}

async function firstSession(site: Site, options: Options): Promise<Session> {
  const { accessToken, refreshToken, clientId } = options;
  if (accessToken !== null) return new Session(site, clientId, { accessToken, refreshToken });
  return signIn(site, clientId, { email: options.email ?? '', password: options.password ?? '' });
}

/** A collection in which collections may be created, and whose parent does not exist or is not visible. */
async function findRoot(api: Api): Promise<string> {
  const tree = await api.get('/api2/collections/tree');
  const top = tree.status === 200 ? (tree.object().root as { id?: unknown } | undefined)?.id : undefined;
  if (typeof top === 'string' && top !== '-1') return top;
  const collections = await api.list('/api2/collections', { permission: 'collection-create', per_page: 100 });
  const known = new Set(collections.map(({ id }) => id));
  const root =
    collections.find(({ parent_id }) => parent_id === null) ?? collections.find((each) => !known.has(each.parent_id));
  if (typeof root?.id !== 'string') throw new Failure('There is no collection in which collections can be created.');
  return root.id;
}
