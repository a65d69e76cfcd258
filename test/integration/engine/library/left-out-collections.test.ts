// A library whose tree is not complete: its deletion of a collection takes along what the tree does not show.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CollectionTreeNode } from '../../../../shared/api/collections.ts';
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

/** Returns a tree without one of its collections. */
function without(node: CollectionTreeNode, id: string): CollectionTreeNode {
  return { ...node, children: node.children.filter((each) => each.id !== id).map((each) => without(each, id)) };
}

// Few collections are asked for what they contain, many are compared with the list of all collections.
it.each([2, 25])('confirms and deletes what the tree leaves out, beside %i others', async (others) => {
  await library.nextCase();
  const { desk, proxy, client } = library;
  const { siteId, collectionId: top } = desk;
  const leftOut = await below(top, 'Left out');
  const inside = await below(leftOut, 'Inside');
  for (let count = 1; count <= others; count += 1) await below(top, `Other ${count}`);
  const shown = { collections: 1 + others, items: 0 };
  proxy.change({
    reply(reply, { url }) {
      if (!url.startsWith('/api2/collections/tree') || url.includes('permission=')) return reply;
      return { ...reply, body: JSON.stringify({ root: without(JSON.parse(reply.body).root, leftOut) }) };
    },
  });
  const of = { siteId, collectionIds: [top] };
  const plan = await desk.engine.call('library.planDeletion', of);
  expect(plan).toMatchObject({ collections: shown.collections + 2, items: 0, forbidden: [] });
  const tooFew = desk.engine.call('library.deleteCollections', { ...of, confirmed: shown });
  await expect(tooFew).rejects.toMatchObject({ code: 'collection.grew' });
  expect((await client.get(`/api2/collections/${inside}`)).status).toBe(200);
  await desk.engine.call('library.deleteCollections', { ...of, confirmed: plan });
  expect((await client.get(`/api2/collections/${top}`)).status).toBe(404);
});
