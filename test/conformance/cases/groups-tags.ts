import { type Case, casesOf } from '../suite/case.ts';
import * as is from '../suite/expect.ts';
import { deleted, done, equal, has, hasNot, hasStatus, invalid, refused } from '../suite/expect.ts';
import { Skip } from '../suite/failure.ts';

const groups = casesOf('groups', (it) => {
  const GROUPS = '/api2/groups';
  const usersOf = (w: Parameters<Case['run']>[0], id: string) => w.api.ids('/api2/users', { group_id: id });
  it('list', 'GET /groups lists groups', async (w) => {
    const made = await w.group();
    has(await w.api.ids(GROUPS, { per_page: 100 }), made.id, 'The list');
  });
  it('filter-name', 'The filter display_name keeps exact matches only', async (w) => {
    const display_name = w.name('exact');
    const made = await w.group({ display_name });
    await w.group({ display_name: `${display_name}-more` });
    equal(await w.api.ids(GROUPS, { display_name }), [made.id], 'The list');
    equal(await w.api.ids(GROUPS, { display_name: `${display_name}%` }), [], 'The list for a name with %');
  });
  it('filter-user', 'The filter user_id keeps the groups of a user', async (w) => {
    const [user, group, other] = [await w.user(), await w.group(), await w.group()];
    done(await w.api.post(`${group.path}/add-users`, { user_ids: [user.id] }));
    const role = await w.role(['collection-read']);
    await w.membership({ group_id: group.id, role_id: role.id, collection_id: (await w.collection()).id });
    const ids = await w.api.ids(GROUPS, { user_id: user.id });
    has(ids, group.id, 'The list');
    hasNot(ids, other.id, 'The list');
  });
  it('get', 'GET /groups/<id> answers with the group', async (w) => {
    const made = await w.group();
    equal((await w.api.read(`${GROUPS}/${made.id}`)).id, made.id, 'id');
  });
  it('get-unknown', 'GET of an id that does not exist is refused', async (w) => {
    refused(await w.api.get(`${GROUPS}/987654321`));
  });
  for (const name of ['public', 'registered-users']) {
    it(name, `GET /groups/${name} answers with the built-in group`, async (w) => {
      const { id } = await w.api.read(`${GROUPS}/${name}`);
      equal((await w.api.read(`${GROUPS}/${id}`)).id, id, 'id of the group that is read by its id');
    });
  }
  it('create', 'POST /groups answers 201 with a Location header and the group', async (w) => {
    const display_name = w.name('made');
    const made = await w.group({ display_name });
    equal(made.answer.object().display_name, display_name, 'display_name in the response');
    equal((await w.api.read(made.path)).display_name, display_name, 'display_name');
  });
  it('create-no-name', 'display_name is required', async (w) => {
    invalid(await w.api.post(GROUPS, {}));
  });
  it('update', 'The display name of a group can be changed', async (w) => {
    const [made, display_name] = [await w.group(), w.name('renamed')];
    const answer = await w.api.post(made.path, { display_name });
    if (answer.status === 404 || answer.status === 405) throw new Skip('here the path does not contain the id');
    done(answer);
    equal((await w.api.read(made.path)).display_name, display_name, 'display_name');
  });
  it('update-nothing', 'display_name is optional in an update, and stays without one', async (w) => {
    const display_name = w.name('kept');
    const made = await w.group({ display_name });
    const answer = await w.api.post(made.path, {});
    if (answer.status === 404 || answer.status === 405) throw new Skip('here the path does not contain the id');
    done(answer);
    equal((await w.api.read(made.path)).display_name, display_name, 'display_name');
  });
  it('add-users', 'add-users adds users to the group, and adding one again changes nothing', async (w) => {
    const [group, one, two] = [await w.group(), await w.user(), await w.user()];
    for (const user_ids of [[one.id, two.id], [one.id]]) {
      done(await w.api.post(`${group.path}/add-users`, { user_ids }));
      is.sameSet(await usersOf(w, group.id), [one.id, two.id], 'The users of the group');
    }
  });
  it('remove-users', 'remove-users removes users from the group and leaves the others', async (w) => {
    const [group, kept, gone] = [await w.group(), await w.user(), await w.user()];
    done(await w.api.post(`${group.path}/add-users`, { user_ids: [kept.id, gone.id] }));
    done(await w.api.post(`${group.path}/remove-users`, { user_ids: [gone.id] }));
    equal(await usersOf(w, group.id), [kept.id], 'The users of the group');
  });
  for (const action of ['add-users', 'remove-users']) {
    it(`${action}-required`, `${action} requires user_ids`, async (w) => {
      invalid(await w.api.post(`${(await w.group()).path}/${action}`, {}));
    });
  }
  it('delete', 'DELETE /groups/<id> answers 204, and the group is gone, but not its users', async (w) => {
    const [made, user] = [await w.group(), await w.user()];
    done(await w.api.post(`${made.path}/add-users`, { user_ids: [user.id] }));
    deleted(await w.api.delete(made.path));
    refused(await w.api.get(made.path));
    await w.api.read(user.path);
  });
  it('delete-unknown', 'DELETE of an id that does not exist answers 204', async (w) => {
    deleted(await w.api.delete(`${GROUPS}/987654321`));
  });
});

const tags = casesOf('tags', (it) => {
  const TAGS = '/api2/tags';
  it('list', 'GET /tags lists tags', async (w) => {
    const made = await w.tag();
    has(await w.api.ids(TAGS, { per_page: 100 }), made.id, 'The list');
  });
  it('filter-name', 'The filter display_name keeps exact matches only', async (w) => {
    const display_name = w.name('exact');
    const made = await w.tag({ display_name });
    await w.tag({ display_name: `${display_name}-more` });
    equal(await w.api.ids(TAGS, { display_name }), [made.id], 'The list');
    equal(await w.api.ids(TAGS, { display_name: `${display_name}%` }), [], 'The list for a name with %');
  });
  it('filter-id', 'The filter id keeps the tag with this id', async (w) => {
    const made = await w.tag();
    equal(await w.api.ids(TAGS, { id: made.id }), [made.id], 'The list');
    equal(await w.api.ids(TAGS, { id: made.id, display_name: w.name('other') }), [], 'The list with another name');
  });
  it('used', 'A tag that was given to a media item is in the list', async (w) => {
    const tag = w.tagName();
    await w.media({ tags: [tag] });
    equal(
      (await w.api.list(TAGS, { display_name: tag })).map((each) => each.display_name),
      [tag],
      'The list',
    );
  });
  it('get', 'GET /tags/<id> answers with the tag', async (w) => {
    const made = await w.tag();
    equal((await w.api.read(`${TAGS}/${made.id}`)).id, made.id, 'id');
  });
  it('get-unknown', 'GET of an id that does not exist is refused', async (w) => {
    refused(await w.api.get(`${TAGS}/987654321`));
  });
  it('create', 'POST /tags answers 201 with a Location header and the tag', async (w) => {
    const display_name = w.name('made');
    const made = await w.tag({ display_name });
    equal(made.answer.object().display_name, display_name, 'display_name in the response');
    equal((await w.api.read(made.path)).display_name, display_name, 'display_name');
  });
  it('create-no-name', 'display_name is required at creation', async (w) => {
    invalid(await w.api.post(TAGS, {}));
  });
  it('update', 'POST /tags/<id> changes the display name', async (w) => {
    const [made, display_name] = [await w.tag(), w.name('renamed')];
    done(await w.api.post(made.path, { display_name }));
    equal((await w.api.read(made.path)).display_name, display_name, 'display_name');
  });
  it('update-no-name', 'display_name is required for an update', async (w) => {
    invalid(await w.api.post((await w.tag()).path, {}));
  });
  it('update-seen', 'A renamed tag has its new name on the media items that have it', async (w) => {
    const [tag, display_name] = [w.tagName(), w.name('renamed')];
    const media = await w.media({ tags: [tag] });
    const [found] = await w.api.ids(TAGS, { display_name: tag });
    done(await w.api.post(`${TAGS}/${found}`, { display_name }));
    try {
      equal((await w.api.read(media.path)).tags, [display_name], 'tags of the item');
    } finally {
      await w.api.delete(`${TAGS}/${found}`);
    }
  });
  it('delete', 'DELETE /tags/<id> answers 204, and the tag is gone', async (w) => {
    const made = await w.tag();
    deleted(await w.api.delete(made.path));
    refused(await w.api.get(made.path));
  });
  it('delete-several', 'DELETE takes several ids separated by commas', async (w) => {
    const made = [await w.tag(), await w.tag(), await w.tag()];
    const kept = await w.tag();
    deleted(await w.api.delete(`${TAGS}/${made.map(({ id }) => id).join(',')}`));
    for (const { path } of made) refused(await w.api.get(path));
    hasStatus(await w.api.get(kept.path), 200);
  });
  it('delete-some-gone', 'DELETE of several ids deletes those that exist when others do not', async (w) => {
    const made = await w.tag();
    deleted(await w.api.delete(`${TAGS}/987654321,${made.id}`));
    refused(await w.api.get(made.path));
  });
});

export const groupAndTagCases: Case[] = [...groups, ...tags];
