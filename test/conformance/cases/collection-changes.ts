import { type Case, casesOf } from '../suite/case.ts';
import { deleted, done, equal, hasStatus, invalid, notAllowed, refused } from '../suite/expect.ts';
import { plainCollection, podcast } from '../world/fixtures.ts';
import type { Made } from '../world/makers.ts';
import type { Permission } from '../world/permissions.ts';
import type { World } from '../world/world.ts';

/** A collection in its old parent, and a new parent; none of them inherits memberships. */
async function triple(w: World): Promise<Record<'moving' | 'oldParent' | 'newParent', Made>> {
  const closed = { inherit_memberships: false };
  const [oldParent, newParent] = [await w.collection(closed), await w.collection(closed)];
  return { oldParent, newParent, moving: await w.collection({ ...closed, parent_id: oldParent.id }) };
}

type Grants = Readonly<Record<'moving' | 'oldParent' | 'newParent', readonly Permission[]>>;

const ENOUGH: Grants = {
  moving: ['collection-move'],
  oldParent: ['collection-move', 'collection-delete'],
  newParent: ['collection-create'],
};

async function moveWith(w: World, grants: Grants) {
  const made = await triple(w);
  for (const key of ['moving', 'oldParent', 'newParent'] as const) await w.grant(made[key], grants[key]);
  const { api } = await w.second();
  const answer = await api.post(`${made.moving.path}/move`, { new_parent_id: made.newParent.id });
  return { answer, made };
}

const moves = casesOf('collections', (it) => {
  it('move', 'POST /collections/<id>/move moves the collection in the tree, with what is below it', async (w) => {
    const { moving, newParent } = await triple(w);
    const below = await w.collection({ parent_id: moving.id });
    done(await w.api.post(`${moving.path}/move`, { new_parent_id: newParent.id }));
    equal((await w.api.read(moving.path)).parent_id, newParent.id, 'parent_id');
    equal((await w.api.read(below.path)).parent_id, moving.id, 'parent_id of the collection below');
  });
  it('move-no-target', 'new_parent_id is required', async (w) => {
    invalid(await w.api.post(`${(await w.collection()).path}/move`, {}));
  });
  it('move-into-child', 'Moving a collection into one of its own sub-collections: 403', async (w) => {
    const parent = await w.collection();
    const child = await w.collection({ parent_id: parent.id });
    const answer = await w.api.post(`${parent.path}/move`, { new_parent_id: child.id });
    hasStatus(answer, 403);
    equal((await w.api.read(parent.path)).parent_id, await w.homeId(), 'parent_id');
  });
  it('move-root', 'Moving a root collection: 403', async (w) => {
    w.harmful();
    const answer = await w.api.post(`/api2/collections/${await w.rootId()}/move`, { new_parent_id: await w.homeId() });
    hasStatus(answer, 403);
  });
  it('move-root-by-update', 'An update of parent_id does not move a root collection', async (w) => {
    w.harmful();
    const path = `/api2/collections/${await w.rootId()}`;
    const before = await w.api.read(path);
    refused(await w.api.post(path, { parent_id: await w.homeId() }));
    equal((await w.api.read(path)).parent_id, before.parent_id, 'parent_id');
  });
  it(
    'move-into-itself-by-update',
    'An update of parent_id does not move a collection into one of its own sub-collections',
    async (w) => {
      const parent = await w.collection();
      const child = await w.collection({ parent_id: parent.id });
      refused(await w.api.post(parent.path, { parent_id: child.id }));
      equal((await w.api.read(parent.path)).parent_id, await w.homeId(), 'parent_id');
    },
  );
  it(
    'move-allowed',
    'A move needs only collection-move on it and its parent, -delete on its parent, and -create on the new parent',
    async (w) => {
      const { answer, made } = await moveWith(w, ENOUGH);
      done(answer);
      equal((await w.api.read(made.moving.path)).parent_id, made.newParent.id, 'parent_id');
    },
  );
  const LACKING = {
    'moving-collection': [
      { ...ENOUGH, moving: ['collection-update', 'collection-create', 'collection-delete'] },
      'collection-move on the moving collection',
    ],
    'old-parent': [
      { ...ENOUGH, oldParent: ['collection-delete', 'collection-update'] },
      'collection-move on the old parent',
    ],
    'new-parent': [
      { ...ENOUGH, newParent: ['collection-delete', 'collection-update'] },
      'collection-create on the new parent',
    ],
  } as const;
  for (const [id, [grants, words]] of Object.entries(LACKING)) {
    it(`move-permission-${id}`, `Moving needs ${words}`, async (w) => {
      const { answer, made } = await moveWith(w, grants);
      notAllowed(answer);
      equal((await w.api.read(made.moving.path)).parent_id, made.oldParent.id, 'parent_id');
    });
  }
});

const deletes = casesOf('collections', (it) => {
  it('delete', 'DELETE /collections/<id> answers 204 and deletes it with all its descendants', async (w) => {
    const parent = await w.collection();
    const child = await w.collection({ parent_id: parent.id });
    const grandchild = await w.collection({ parent_id: child.id });
    deleted(await w.api.delete(parent.path));
    for (const { path } of [parent, child, grandchild]) refused(await w.api.get(path));
  });
  it('delete-unknown', 'DELETE of an id that does not exist answers 204', async (w) => {
    deleted(await w.api.delete('/api2/collections/987654321'));
  });
  it('delete-with-media', 'Deleting a collection that contains media: 409', async (w) => {
    const made = await w.collection();
    await w.media({ collection_id: made.id });
    hasStatus(await w.api.delete(made.path), 409);
    await w.api.read(made.path);
  });
  it('delete-with-media-below', 'Deleting a collection with media in a descendant: 409', async (w) => {
    const parent = await w.collection();
    const child = await w.collection({ parent_id: parent.id });
    await w.media({ collection_id: child.id });
    hasStatus(await w.api.delete(parent.path), 409);
    await w.api.read(child.path);
  });
  it('delete-emptied', 'Once its media are deleted a collection can be deleted', async (w) => {
    const made = await w.collection();
    const media = await w.media({ collection_id: made.id });
    deleted(await w.api.delete(media.path));
    deleted(await w.api.delete(made.path));
  });
  it('delete-root', 'Deleting a root collection: 409', async (w) => {
    w.harmful();
    hasStatus(await w.api.delete(`/api2/collections/${await w.rootId()}`), 409);
  });
  it('delete-permission', 'Deleting needs collection-delete on the collection', async (w) => {
    const { api, collection } = await w.holding(['collection-create', 'collection-update']);
    notAllowed(await api.delete(collection.path));
    await w.api.read(collection.path);
  });
  it('delete-permission-below', 'Deleting needs collection-delete on all descendants', async (w) => {
    const { api, collection } = await w.holding(['collection-delete']);
    const below = await w.collection({ parent_id: collection.id, inherit_memberships: false });
    await w.grant(below, ['collection-update']);
    notAllowed(await api.delete(collection.path));
    await w.api.read(below.path);
  });
});

const TEXTS = {
  directory_author_name: 'Ann Author',
  directory_author_email: 'ann@conformance.example',
  directory_subtitle: 'On everything',
  directory_category: 'Education',
  copyright: '© Ann',
  directory_url: 'https://directory.example/ann',
  directory_edu_category: 'Science',
  feed_proxy_url: 'https://feeds.example/ann',
} as const;

const podcasts = casesOf('podcast', (it) => {
  const details = async (w: World) => `${(await podcast(w)).path}/podcast-details`;
  it('get', 'GET /collections/<id>/podcast-details answers 200 for a podcast', async (w) => {
    hasStatus(await w.api.get(await details(w)), 200);
  });
  for (const [name, value] of Object.entries(TEXTS)) {
    it(
      `set-${name.replaceAll('_', '-')}`,
      `${name} can be set; the answer is 200 with the podcast details`,
      async (w) => {
        const answer = hasStatus(await w.api.post(await details(w), { [name]: value }), 200);
        equal(answer.object()[name], value, `${name} in the response`);
        equal((await w.api.read(await details(w)))[name], value, name);
      },
    );
  }
  for (const value of ['no', 'yes', 'clean']) {
    it(`explicit-${value}`, `directory_explicit can be ${value}`, async (w) => {
      hasStatus(await w.api.post(await details(w), { directory_explicit: value }), 200);
      equal((await w.api.read(await details(w))).directory_explicit, value, 'directory_explicit');
    });
  }
  it('explicit-other', 'directory_explicit accepts no other value', async (w) => {
    invalid(await w.api.post(await details(w), { directory_explicit: 'perhaps' }));
  });
  it('partial', 'Fields that are not supplied stay as they are', async (w) => {
    const path = await details(w);
    await w.api.post(path, { copyright: 'Kept', directory_subtitle: 'Before' });
    await w.api.post(path, { directory_subtitle: 'After' });
    equal((await w.api.read(path)).copyright, 'Kept', 'copyright');
  });
  it('get-other', 'GET of podcast details of a collection that is not a podcast: 400', async (w) => {
    hasStatus(await w.api.get(`${(await plainCollection(w)).path}/podcast-details`), 400);
  });
  it('set-other', 'POST of podcast details of a collection that is not a podcast: 400', async (w) => {
    hasStatus(await w.api.post(`${(await plainCollection(w)).path}/podcast-details`, { copyright: 'Me' }), 400);
  });
  it('get-permission', 'Reading podcast details needs collection-read', async (w) => {
    const { api, collection } = await w.holding([], { is_podcast: true });
    notAllowed(await api.get(`${collection.path}/podcast-details`));
    await w.grant(collection, ['collection-read']);
    hasStatus(await api.get(`${collection.path}/podcast-details`), 200);
  });
  it('set-permission', 'Changing podcast details needs collection-update', async (w) => {
    const { api, collection } = await w.holding(['collection-read'], { is_podcast: true });
    const path = `${collection.path}/podcast-details`;
    notAllowed(await api.post(path, { copyright: 'Me' }));
    await w.grant(collection, ['collection-update']);
    hasStatus(await api.post(path, { copyright: 'Me' }), 200);
  });
});

export const collectionChangeCases: Case[] = [...moves, ...deletes, ...podcasts];
