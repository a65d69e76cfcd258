// A library whose tree of collections is incomplete: it deletes a collection together with those that the tree does not show.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ChangedLibrary, openChangedLibrary } from '../../../helpers/engine/changed-library.ts';

let library: ChangedLibrary;
beforeAll(async () => {
  library = await openChangedLibrary(1);
});
afterAll(() => library.close());

async function below(parentId: string, name: string): Promise<string> {
  const { body } = await library.client.post('/api2/collections', { parent_id: parentId, display_name: name });
  return body.id;
}

/** A node of the tree as the service sends it. */
interface SentNode {
  id: string;
  children: SentNode[];
}

/** Returns a tree without one of its collections. */
function without(node: SentNode, id: string): SentNode {
  return { ...node, children: node.children.filter((each) => each.id !== id).map((each) => without(each, id)) };
}

// For few collections, the engine requests the children of each one; for many, it requests the list of all collections.
it.each([2, 25])('confirms and deletes what the tree does not show, beside %i others', async (others) => {
  await library.nextCase();
  const { desk, proxy, client } = library;
  const { siteId, collectionId: top } = desk;
  const leftOut = await below(top, 'Left out');
  const inside = await below(leftOut, 'Inside');
  const shown = [top];
  for (let count = 1; count <= others; count += 1) shown.push(await below(top, `Other ${count}`));
  proxy.change({
    reply(reply, { url }) {
      if (!url.startsWith('/api2/collections/tree') || url.includes('permission=')) return reply;
      return { ...reply, body: JSON.stringify({ root: without(JSON.parse(reply.body).root, leftOut) }) };
    },
  });
  const of = { siteId, collectionIds: [top] };
  const plan = await desk.engine.call('library.planDeletion', of);
  expect(plan).toMatchObject({ collections: shown.length + 2, items: 0, forbidden: [] });
  const tooFew = desk.engine.call('library.deleteCollections', {
    ...of,
    confirmed: { collectionIds: shown, items: 0 },
  });
  await expect(tooFew).rejects.toMatchObject({ code: 'collection.grew' });
  expect((await client.get(`/api2/collections/${inside}`)).status).toBe(200);
  await desk.engine.call('library.deleteCollections', { ...of, confirmed: plan });
  expect((await client.get(`/api2/collections/${top}`)).status).toBe(404);
});

// The account can see the collection again only from the last request of the check on.
it('a deletion counts collections that only the last request of its check shows, and those that the tree leaves out in them', async () => {
  await library.nextCase();
  const { desk, proxy, client } = library;
  const { siteId, collectionId: top } = desk;
  const shown = await below(top, 'Shown again');
  const inside = await below(shown, 'Left out');
  let isShown = false;
  proxy.change({
    reply(reply, { url }) {
      const isLast = url.startsWith('/api2/collections/tree') && url.includes('permission=');
      isShown ||= isLast;
      if (url.startsWith('/api2/collections/tree')) {
        const { root } = JSON.parse(reply.body);
        return { ...reply, body: JSON.stringify({ root: without(root, isLast ? inside : shown) }) };
      }
      if (!url.includes('parent_id=') || isShown) return reply;
      const { items, ...rest } = JSON.parse(reply.body);
      const others = items.filter(({ id }: { id: string }) => id !== shown);
      return { ...reply, body: JSON.stringify({ ...rest, items: others }) };
    },
  });
  const of = { siteId, collectionIds: [top] };
  const confirmed = { collectionIds: [top], items: 0 };
  const deleting = desk.engine.call('library.deleteCollections', { ...of, confirmed });
  await expect(deleting).rejects.toMatchObject({ code: 'collection.grew', details: { collections: 3 } });
  expect((await client.get(`/api2/collections/${inside}`)).status).toBe(200);
});
