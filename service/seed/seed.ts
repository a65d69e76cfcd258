import { LOOPBACK_REDIRECT, OOB_REDIRECT } from '../../shared/api/oauth.ts';
import { PERMISSIONS } from '../../shared/api/permission-sets.ts';
import { rememberFirstUser } from '../accounts/first-user.ts';
import { readMeta, writeMeta } from '../database/meta.ts';
import type { Store } from '../database/store.ts';
import { saveClient } from '../oauth/clients.ts';
import type { Passwords } from '../secrets/passwords.ts';
import type { Blobs } from '../storage/blobs.ts';
import type { Scratch } from '../storage/scratch.ts';
import { seedBulk } from './seed-bulk.ts';
import { makeDemoFiles, seedDemo } from './seed-demo.ts';

export const CLIENT_ID = 'mediadesk';
const ROOT_ID = 1;

const READ = [
  'collection-read',
  'media-read',
  'media-play',
  'media-download',
  'media-like',
  'comment-read',
  'comment-create',
];

/** The roles that a new site has; Administrator can't be deleted. */
const ROLES = [
  { name: 'Administrator', permissions: [...PERMISSIONS], deletable: 0 },
  {
    name: 'Editor',
    permissions: PERMISSIONS.filter((name) => name !== 'collection-share'),
    deletable: 1,
  },
  { name: 'Producer', permissions: [...READ, 'media-create', 'media-publish', 'collection-create'], deletable: 1 },
  { name: 'Viewer', permissions: READ, deletable: 1 },
] as const;

/** The accounts that a new site has, all with the administrator's password. */
const USERS = [
  { email: 'admin@library.example', first: 'Ada', last: 'Admin', role: null },
  { email: 'editor@library.example', first: 'Erik', last: 'Editor', role: 'Editor' },
  { email: 'producer@library.example', first: 'Petra', last: 'Producer', role: 'Producer' },
  { email: 'viewer@library.example', first: 'Vera', last: 'Viewer', role: 'Viewer' },
] as const;

/** The administrator of a new library. */
export interface FirstAdmin {
  email_address: string;
  /** null: there is no other account, and a one-time link sets the password. */
  password: string | null;
}

export async function isSeeded(store: Store): Promise<boolean> {
  return (await readMeta(store, 'seeded')) !== undefined;
}

/**
 * Fills a new library once. One that is already filled stays unchanged, whatever seed is requested. Returns whether this call has filled it:
 * another process may have done so at the same time.
 */
export async function seedOnce(
  store: Store,
  storage: { blobs: Blobs; scratch: Scratch },
  seed: string,
  admin: FirstAdmin,
  passwords: Passwords,
  nowMs: number,
): Promise<boolean> {
  if (await isSeeded(store)) return false;
  const nowOn = Math.floor(nowMs / 1000);
  // All accounts share one hash: it is public that they share a password, and hashing is slow on purpose.
  const hash = admin.password === null ? null : await passwords.hash(admin.password);
  const bulk = /^bulk:(\d+):(\d+)$/.exec(seed);
  const demoFiles = seed === 'demo' ? await makeDemoFiles(storage) : [];
  const fill = async () => {
    const roleIds = await seedBase(store, nowOn);
    if (hash === null) await rememberFirstUser(store, await seedUser(store, firstUser(admin), null, nowOn));
    else await seedUsers(store, hash, roleIds, nowOn);
    if (seed === 'demo') await seedDemo(store, demoFiles, nowOn);
    if (bulk && hash !== null) {
      await seedBulk(store, Number(bulk[1]), Number(bulk[2]), hash, [...roleIds.values()].slice(1), nowOn);
    }
    await writeMeta(store, 'seeded', seed);
  };
  try {
    await store.transaction(fill);
    return true;
  } catch (error) {
    if (await isSeeded(store)) return false;
    throw error;
  }
}

/** Returns the ids of the roles by name, in the order of `ROLES`. */
async function seedBase(store: Store, nowOn: number): Promise<ReadonlyMap<string, number>> {
  await saveClient(store, {
    id: CLIENT_ID,
    displayName: 'Mediadesk',
    redirectUris: [LOOPBACK_REDIRECT, OOB_REDIRECT],
    flows: ['code', 'token'],
  });
  await store.run(
    `INSERT INTO collections (id, parent_id, slug, display_name, description, description_plain, inherit_memberships,
       is_podcast, autotranscribe_enabled, autotranscribe_subcollections, created_on, modified_on)
     VALUES (?, NULL, 'library', 'Library', '', '', 0, 0, 0, 0, ?, ?)`,
    ROOT_ID,
    nowOn,
    nowOn,
  );
  for (const [name, builtIn] of [
    ['Public', 'public'],
    ['Registered users', 'registered-users'],
  ] as const) {
    await store.run(
      'INSERT INTO groups (display_name, built_in, created_on, modified_on) VALUES (?, ?, ?, ?)',
      name,
      builtIn,
      nowOn,
      nowOn,
    );
  }
  const roleIds = new Map<string, number>();
  for (const { name, permissions, deletable } of ROLES) {
    const id = await store.insert(
      'INSERT INTO roles (display_name, permissions, deletable, lti, created_on, modified_on) VALUES (?, ?, ?, 0, ?, ?) RETURNING id',
      name,
      JSON.stringify(permissions),
      deletable,
      nowOn,
      nowOn,
    );
    roleIds.set(name, id);
  }
  return roleIds;
}

function firstUser({ email_address }: FirstAdmin): SeedUser {
  return { email: email_address, first: 'Library', last: 'Administrator', role: null };
}

interface SeedUser {
  email: string;
  first: string;
  last: string;
  /** null for the administrator. */
  role: string | null;
}

async function seedUsers(
  store: Store,
  passwordHash: string,
  roleIds: ReadonlyMap<string, number>,
  nowOn: number,
): Promise<void> {
  for (const user of USERS) {
    const id = await seedUser(store, user, passwordHash, nowOn);
    if (user.role === null) continue;
    await store.run(
      'INSERT INTO memberships (user_id, collection_id, role_id, created_on, modified_on) VALUES (?, ?, ?, ?, ?)',
      id,
      ROOT_ID,
      roleIds.get(user.role) ?? 0,
      nowOn,
      nowOn,
    );
  }
}

/** Returns the id of the user. */
async function seedUser(
  store: Store,
  { email, first, last, role }: SeedUser,
  hash: string | null,
  nowOn: number,
): Promise<number> {
  const id = await store.insert(
    `INSERT INTO users (email_address, first_name, last_name, unique_id, is_admin, password_hash, created_on, modified_on)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    email,
    first,
    last,
    `basic:${email}`,
    Number(role === null),
    hash,
    nowOn,
    nowOn,
  );
  return id;
}
