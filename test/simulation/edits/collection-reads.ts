import type { QueryValues, SiteClient } from '../../../electron/engine/api/http-client.ts';
import { apiUrl } from '../../../electron/engine/api/links.ts';
import type { CollectionReadFact } from './edit-history.ts';
import type { EditWorld } from './edit-world.ts';

const COLLECTIONS = '/api2/collections';

/** A node of the tree as the service sends it. */
interface SentNode {
  id: string;
  children: SentNode[];
}

/** Returns a client that notes which collections its program requests, and which ones the answers show. */
export function withNotedReads(client: SiteClient, site: string, { time, history }: EditWorld): SiteClient {
  const note = (read: Omit<CollectionReadFact, 'atMs' | 'site'>) => {
    const fact = { atMs: time.elapsedMs, site, ...read };
    history.collectionReads.push(fact);
    return fact;
  };
  return {
    ...client,
    async get(target, query, signal) {
      const isDeletable = target === `${COLLECTIONS}/tree` && query?.permission === 'collection-delete';
      const fact = isDeletable ? note({ of: 'deletable', parentId: null, isLast: true, shown: {} }) : null;
      const answer = await client.get(target, query, signal);
      if (fact !== null) fact.shown = parentsIn(answer.body);
      return answer;
    },
    async read(schema, target, query, signal) {
      const value = await client.read(schema, target, query, signal);
      const url = urlOf(client.baseUrl, target, query);
      if (url.pathname === COLLECTIONS) {
        const { items, links } = value as CollectionPage;
        const shown = Object.fromEntries(items.map(({ id, parent_id: parentId }) => [id, parentId ?? '']));
        note({ of: 'list', parentId: url.searchParams.get('parent_id'), isLast: (links.next ?? null) === null, shown });
      }
      return value;
    },
  };
}

interface CollectionPage {
  items: readonly { id: string; parent_id: string | null }[];
  links: { next?: string | null };
}

function urlOf(baseUrl: string, target: string | URL, query: QueryValues = {}): URL {
  const url = new URL(typeof target === 'string' ? apiUrl(baseUrl, target) : target);
  for (const [name, value] of Object.entries(query)) if (value != null) url.searchParams.set(name, String(value));
  return url;
}

/** The parents of all collections in a tree, by their ids; none in a damaged answer. */
function parentsIn(body: string): Record<string, string> {
  const parents: Record<string, string> = {};
  const add = (node: SentNode, parentId: string) => {
    parents[node.id] = parentId;
    for (const child of node.children) add(child, node.id);
  };
  try {
    add((JSON.parse(body) as { root: SentNode }).root, '');
  } catch {
    return {};
  }
  return parents;
}
