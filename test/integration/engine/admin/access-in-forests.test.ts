// What a library calculates for users and groups, beside the explanation from what it lists: in random libraries, in three dialects.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Directory, readDirectory } from '../../../../electron/engine/admin/directory.ts';
import type { SiteClient } from '../../../../electron/engine/api/http-client.ts';
import type { AccessSubject } from '../../../../shared/contract/admin/access.ts';
import { permissionsBy, permissionsInOrder, placesOf, waysTo } from '../../../../shared/model/access/explain-access.ts';
import { openEngineAs } from '../../../helpers/engine/library-people.ts';
import { type Forest, ForestFiller } from '../../../helpers/service/random-forests.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { startService } from '../../../helpers/service/service-process.ts';
import { isLongRun } from '../../../helpers/test-extent.ts';
import { clientOf } from '../api/site-client.ts';

const FORESTS = isLongRun ? 10_000 : 40;
const FORESTS_PER_LIBRARY = isLongRun ? 100 : 20;
const DIALECTS = ['reference', 'lean', 'strict'] as const;
/** The number of subjects of each library for which the engine explains as well. */
const EXPLAINED = 8;
const SUBJECTS_AT_ONCE = 4;

interface Calculated {
  roles: string[];
  permissions: string[];
}

/** Asks the library for the roles and permissions of a subject in all collections. */
async function calculated(client: ServiceClient, { kind, id }: AccessSubject): Promise<Map<string, Calculated>> {
  const by = new Map<string, Calculated>();
  let path: string | null = `/api2/memberships/calculate-roles-perms?${kind}_id=${id}`;
  while (path !== null) {
    const { status, body }: Awaited<ReturnType<ServiceClient['get']>> = await client.get(path);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    for (const { collection, roles, permissions } of body.items) {
      by.set(collection.id, { roles: roles.map((role: { id: string }) => role.id).toSorted(), permissions });
    }
    path = body.links.next;
  }
  return by;
}

const NOTHING: Calculated = { roles: [], permissions: [] };

/** Returns the collections in which the explanation differs from the calculation of the library. */
function differences(
  directory: Directory,
  subject: AccessSubject,
  collectionIds: ReadonlySet<string>,
  service: ReadonlyMap<string, Calculated>,
) {
  return [...collectionIds].flatMap((collectionId) => {
    const ways = waysTo(directory, subject, collectionId);
    const roles = [...new Set(ways.flatMap(({ role }) => role?.id ?? []))].toSorted();
    const own = { roles, permissions: permissionsBy(ways) };
    const given = service.get(collectionId) ?? NOTHING;
    const other = { roles: given.roles, permissions: permissionsInOrder(given.permissions) };
    return JSON.stringify(own) === JSON.stringify(other) ? [] : [{ collectionId, own, other }];
  });
}

interface Library {
  direct: ServiceClient;
  reader: SiteClient;
}

/** Compares all subjects of all forests, in their own collections, and wherever one of the two says something. */
async function compare({ direct, reader }: Library, forests: readonly Forest[]): Promise<number> {
  const directory = await readDirectory(reader, () => 0, new AbortController().signal);
  expect(directory.skipped).toBe(0);
  let compared = 0;
  const all = forests.flatMap(({ seed, collectionIds, subjects }) =>
    subjects.map((subject) => ({ seed, collectionIds, subject })),
  );
  const next = all.values();
  const worker = async () => {
    for (const { seed, collectionIds, subject } of next) {
      const service = await calculated(direct, subject);
      const places = new Set([...collectionIds, ...service.keys(), ...placesOf(directory, subject)]);
      expect({ seed, subject, differing: differences(directory, subject, places, service) }).toEqual({
        seed,
        subject,
        differing: [],
      });
      compared += places.size;
    }
  };
  await Promise.all(Array.from({ length: SUBJECTS_AT_ONCE }, worker));
  return compared;
}

it(`explanations are what the library calculates, in ${FORESTS} libraries, in three dialects`, {
  timeout: isLongRun ? 6 * 3_600_000 : 300_000,
}, async () => {
  const service = await startService();
  try {
    let direct = await clientFor(service);
    const accessToken = async () => direct.tokens.access_token;
    const reader = clientOf(service.baseUrl, { tokens: { accessToken, renew: accessToken } });
    const { engine, siteId } = await openEngineAs(service, 'admin');
    const filler = new ForestFiller(join(service.dataDir, 'library.sqlite'));
    let compared = 0;
    for (let from = 1; from <= FORESTS; from += FORESTS_PER_LIBRARY) {
      await service.end('SIGTERM');
      const forests = filler.fill(Array.from({ length: FORESTS_PER_LIBRARY }, (_, index) => from + index));
      await service.restart();
      // A token lasts for an hour, many libraries take longer.
      direct = await clientFor(service);
      for (const dialect of DIALECTS) {
        await service.control('PATCH', '/settings', { dialect });
        compared += await compare({ direct, reader }, forests);
        await engine.call('admin.read', { siteId, isFresh: true });
        for (const subject of forests.flatMap(({ subjects }) => subjects).slice(0, EXPLAINED)) {
          const { places } = await engine.call('access.explain', { siteId, subject, collectionId: null });
          for (const { service: own, differs } of places) expect([own === null, differs]).toEqual([false, false]);
        }
      }
      if (isLongRun && (from - 1) % 1000 === 0) console.info(`Forests: ${from - 1}, comparisons: ${compared}`);
    }
    expect(compared).toBeGreaterThan(FORESTS * DIALECTS.length);
  } finally {
    await service.stop();
  }
});
