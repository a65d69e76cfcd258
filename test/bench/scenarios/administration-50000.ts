// The administration of a large library: how long lists, explanations and previews take, from its first reading on.
import { join } from 'node:path';
import { PERMISSIONS } from '../../../shared/api/permissions.ts';
import { peopleQuerySchema } from '../../../shared/contract/admin/people.ts';
import { planPeopleImport } from '../../../shared/model/access/people-import.ts';
import { Prng } from '../../helpers/data/prng.ts';
import { createTestProfile, signInEngine } from '../../helpers/engine/engine-host.ts';
import { type DirectRows, writeRows } from '../../helpers/service/direct-rows.ts';
import { startService } from '../../helpers/service/service-process.ts';
import { isQuick } from '../peers.ts';
import { atMost, figure, median, report } from '../report.ts';

const [USERS, GROUPS, MEMBERSHIPS] = isQuick ? [1000, 200, 5000] : [10_000, 2000, 50_000];
const COLLECTIONS = 1000;
const ROWS = isQuick ? 500 : 5000;
const TIMES = isQuick ? 5 : 21;

const service = await startService();
await service.end('SIGTERM');
writeRows(join(service.dataDir, 'library.sqlite'), fill);
await service.restart();
const profile = createTestProfile(service);
const engine = await profile.open();
try {
  const siteId = await signInEngine(engine, service);
  const firstMs = await timed(() => engine.call('admin.read', { siteId }));
  const pageOf = (text: string) => () =>
    engine.call('admin.people', { query: peopleQuerySchema.parse({ siteId, text }), offset: 0, limit: 100 });
  const letters = [...'person 4711'].map((_, index, all) => all.slice(0, index + 1).join(''));
  const { rows: people } = await pageOf('')();
  const groups = await engine.call('admin.groups', { siteId });
  const places = await engine.call('admin.memberships', {
    siteId,
    subject: null,
    collectionId: null,
    roleId: null,
    offset: 0,
    limit: 1,
  });
  if (places.total < MEMBERSHIPS * 0.9) throw new Error(`There are only ${places.total} memberships`);
  const everybody = await allPeople();

  const whyOf = (ids: readonly string[]) =>
    ids.map((id) => () => engine.call('access.explain', { siteId, subject: { kind: 'user', id }, collectionId: null }));
  // The first user belongs to all groups.
  const [first = '', ...others] = everybody
    .toSorted((one, other) => other.groupIds.length - one.groupIds.length)
    .map(({ id }) => id);
  const crowded = groups.toSorted((one, other) => other.people - one.people)[2]?.id ?? '';
  const collectionId = places.rows[0]?.collectionId ?? '';
  const table = [
    ['email', 'first name', 'last name', 'groups'],
    ...Array.from({ length: ROWS }, (_, index) =>
      index % 2 === 0
        ? [`new${index}@x.example`, 'New', `${index}`, groups[5]?.name ?? '']
        : [everybody[index]?.email ?? '', '', '', ''],
    ),
  ].map((cells, index) => ({ row: index + 1, line: index + 1, cells }));
  report({
    scenario: 'administration-50000',
    about: `${USERS} users, ${GROUPS} groups, ${COLLECTIONS} collections and ${MEMBERSHIPS} memberships; service and engine on one computer`,
    rows: [
      atMost('first reading', firstMs / 1000, 10, 's', 1),
      atMost(
        'a page of users, groups and roles from the copy',
        await slowest([
          pageOf(''),
          () => engine.call('admin.groups', { siteId }),
          () => engine.call('admin.roles', { siteId }),
        ]),
        300,
        'ms',
      ),
      atMost('a typed letter in the search of users', await slowest(letters.map(pageOf)), 50, 'ms'),
      atMost(
        'a typed letter in the choice of people',
        await slowest(letters.map((text) => () => engine.call('access.subjects', { siteId, text, limit: 20 }))),
        50,
        'ms',
      ),
      atMost('why a user may do what, in all collections', await slowest(whyOf(others.slice(0, TIMES))), 100, 'ms'),
      figure('the same for a user in all groups', await slowest(whyOf([first])), 'ms'),
      atMost(
        'who may do something in a collection',
        await slowest([
          () => engine.call('access.who', { siteId, collectionId, permission: 'media-play', limit: 100 }),
        ]),
        100,
        'ms',
      ),
      atMost(
        'what a planned role of a large group means',
        await slowest([
          () =>
            engine.call('access.effects', {
              siteId,
              change: {
                kind: 'set',
                collectionId,
                subject: { kind: 'group', id: crowded },
                roleId: places.rows[0]?.roleId ?? '',
              },
            }),
        ]),
        300,
        'ms',
      ),
      atMost(
        `a table of ${ROWS} users is checked`,
        (await slowest([async () => planPeopleImport(table, { people: everybody, groups, actorId: null })])) / 1000,
        2,
        's',
        2,
      ),
    ],
  });

  async function allPeople(): Promise<typeof people> {
    const found: typeof people = [];
    for (let total = 1; found.length < total; ) {
      const page = await engine.call('admin.people', {
        query: peopleQuerySchema.parse({ siteId }),
        offset: found.length,
        limit: 1000,
      });
      total = page.total;
      found.push(...page.rows);
    }
    return found;
  }
} finally {
  await engine.stop();
  profile.remove();
  await service.stop();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Returns the longest of the median durations of some calls, in milliseconds. */
async function slowest(calls: readonly (() => Promise<unknown>)[]): Promise<number> {
  const medians: number[] = [];
  for (const call of calls) {
    const times: number[] = [];
    for (let turn = 0; turn < 5; turn++) times.push(await timed(call));
    medians.push(median(times));
  }
  return Math.max(...medians);
}

function fill(rows: DirectRows): void {
  const random = new Prng(33);
  const roles = [1, 2, 3, 4, 5].map((count) =>
    rows.role(
      `Role ${count}`,
      PERMISSIONS.filter((_, index) => index % 5 < count),
    ),
  );
  const collections = [1];
  while (collections.length < COLLECTIONS) {
    const index = collections.length;
    const parent = random.pick(collections.slice(-200));
    collections.push(rows.collection(`place-${index}`, `Place ${index}`, parent, random.chance(0.7)));
  }
  const groups = Array.from({ length: GROUPS }, (_, index) => rows.group(`Group ${index}`));
  const users = Array.from({ length: USERS }, (_, index) => rows.user(`person${index}`, `Person ${index}`));
  for (const [index, user] of users.entries()) {
    for (let left = random.int(0, 6); left > 0; left--) rows.join(random.pick(groups), user);
    // The first user belongs to all groups, and the first group has a third of the users.
    if (index % 3 === 0) rows.join(groups[0] ?? 0, user);
  }
  for (const group of groups) rows.join(group, users[0] ?? 0);
  for (let left = MEMBERSHIPS; left > 0; left--) {
    const holder = random.chance(0.4) ? { group: random.pick(groups) } : { user: random.pick(users) };
    rows.membership(holder, random.pick(collections), random.pick(roles));
  }
}
