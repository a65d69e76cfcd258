import type { Store } from '../database/store.ts';
import { inOrder } from '../wire/in-order.ts';
import { mulberry32 } from './seed-demo.ts';

const WORDS = (
  'atom basin cipher delta ember forest glacier harbour island journey kernel ladder meadow nebula orbit prism quarry ' +
  'river summit thunder umbra valley willow xenon yarrow zenith amber birch copper dune echo falcon garnet hollow'
).split(' ');
const TYPES = ['video', 'audio', 'doc', 'image'];
const USERS = 1000;
const GROUPS = 40;
const ROOT_ID = 1;

/**
 * Fills a library for measurements: the given number of items and collections, and a thousand users (`user0@…` and so
 * on) who have roles in a few collections each, directly and through groups. They share the password of the other
 * accounts.
 */
export async function seedBulk(
  store: Store,
  items: number,
  collections: number,
  passwordHash: string,
  roleIds: readonly number[],
  nowOn: number,
): Promise<void> {
  const random = mulberry32(7);
  const pick = (): string => WORDS[Math.floor(random() * WORDS.length)] ?? '';
  const tagIds = await inOrder(WORDS, (word) =>
    store.insert('INSERT INTO tags (display_name) VALUES (?) RETURNING id', word),
  );
  const ids: number[] = [ROOT_ID];
  for (let index = 1; index < collections; index += 1) {
    const parent = ids[Math.floor(random() * Math.min(ids.length, 1 + index / 4))] ?? ROOT_ID;
    const name = `${pick()} ${pick()} ${index}`;
    const id = await store.insert(
      `INSERT INTO collections (parent_id, slug, display_name, description, description_plain, inherit_memberships,
         is_podcast, autotranscribe_enabled, autotranscribe_subcollections, created_on, modified_on)
       VALUES (?, ?, ?, '', '', ?, ?, 0, 0, ?, ?) RETURNING id`,
      parent,
      `bulk-${index}`,
      name,
      Number(index % 50 !== 49),
      Number(index % 20 === 0),
      nowOn,
      nowOn,
    );
    ids.push(id);
  }
  for (let index = 0; index < items; index += 1) {
    const words = [pick(), pick(), pick(), pick()];
    const createdOn = nowOn - (items - index) * 60;
    const status = index % 10 === 0 ? 'draft' : index % 100 === 5 ? 'scheduled' : 'published';
    const publishOn = { draft: null, scheduled: nowOn + 86_400 + index, published: createdOn + 600 }[status];
    const collectionId = ids[Math.floor(random() * ids.length)] ?? ROOT_ID;
    const byline = pick();
    const id = await store.insert(
      `INSERT INTO media (collection_id, type, status, title, byline, description, description_plain, duration, publish_on,
         created_on, modified_on, created_by, views_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
      collectionId,
      TYPES[index % 4] ?? null,
      status,
      `${words.join(' ')} ${index}`,
      byline,
      `<p>${words.join(', ')}</p>`,
      words.join(', '),
      Math.floor(random() * 5000),
      publishOn,
      createdOn,
      createdOn + Math.floor(random() * 5000),
      1 + (index % USERS),
      Math.floor(random() * 10_000),
    );
    const tags = [index % WORDS.length, (index * 7 + 3) % WORDS.length];
    for (const tag of new Set(tags))
      await store.run('INSERT INTO media_tags (media_id, tag_id) VALUES (?, ?)', id, tagIds[tag] ?? 1);
    const { sql, params } = store.fullText.insert({
      id,
      byline,
      title: `${words.join(' ')} ${index}`,
      description: words.join(', '),
      tags: tags.map((tag) => WORDS[tag]).join(' '),
    });
    await store.run(sql, ...params);
  }
  await seedPeople(store, ids, passwordHash, roleIds, nowOn, random);
}

/** Gives each user a role in up to three collections, and each group a role in two near the root. */
async function seedPeople(
  store: Store,
  collectionIds: readonly number[],
  passwordHash: string,
  roleIds: readonly number[],
  nowOn: number,
  random: () => number,
): Promise<void> {
  const anyOf = (ids: readonly number[]): number => ids[Math.floor(random() * ids.length)] ?? ROOT_ID;
  const join = (member: { userId?: number; groupId?: number }, collectionId: number) =>
    store.run(
      `INSERT INTO memberships (user_id, group_id, collection_id, role_id, created_on, modified_on)
       VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      member.userId ?? null,
      member.groupId ?? null,
      collectionId,
      anyOf(roleIds),
      nowOn,
      nowOn,
    );
  const groupIds: number[] = [];
  for (let index = 0; index < GROUPS; index += 1) {
    const id = await store.insert(
      'INSERT INTO groups (display_name, created_on, modified_on) VALUES (?, ?, ?) RETURNING id',
      `Group ${index}`,
      nowOn,
      nowOn,
    );
    groupIds.push(id);
    for (let count = 0; count < 2; count += 1) await join({ groupId: id }, anyOf(collectionIds.slice(1, 100)));
  }
  for (let index = 0; index < USERS; index += 1) {
    const email = `user${index}@library.example`;
    const id = await store.insert(
      `INSERT INTO users (email_address, first_name, last_name, unique_id, is_admin, password_hash, created_on, modified_on)
       VALUES (?, ?, ?, ?, 0, ?, ?, ?) RETURNING id`,
      email,
      WORDS[index % WORDS.length] ?? '',
      WORDS[Math.floor(random() * WORDS.length)] ?? '',
      `basic:${email}`,
      passwordHash,
      nowOn,
      nowOn,
    );
    for (let count = 0; count < index % 4; count += 1) await join({ userId: id }, anyOf(collectionIds));
    await store.run('INSERT INTO group_users (group_id, user_id) VALUES (?, ?)', anyOf(groupIds), id);
  }
}
