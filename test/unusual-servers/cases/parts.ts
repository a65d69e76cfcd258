// Behaviors that several cases combine.
import type { Behavior, World } from '../server/behavior.ts';
import { jsonOf, type Reply, type Request, type Route, withJson } from '../server/wire.ts';

type Change = (reply: Reply, request: Request, world: World) => Reply;

/** Changes every reply of these routes. */
export function on(routes: Route | readonly Route[], change: Change): Behavior {
  return { change: (reply, request, world) => (isOf(request, routes) ? change(reply, request, world) : undefined) };
}

/** Answers requests of these routes itself: the library never sees them. */
export function instead(
  routes: Route | readonly Route[],
  answer: (request: Request, world: World) => Reply | undefined,
): Behavior {
  return { instead: (request, world) => (isOf(request, routes) ? answer(request, world) : undefined) };
}

/** Returns true for the first `times` times of the same request: same purpose, same item or file. */
export function isEarly(request: Request, world: World, times = 1): boolean {
  const { title, upload_name } = (jsonOf(request) ?? {}) as { title?: string; upload_name?: string };
  const { host, method, url, route, ids } = request;
  // The address of a destination differs at each try; its item or file does not.
  const target = world.library.destinations.get(ids[0] ?? '');
  const subject = target === undefined ? url.pathname : `${target.item.id} ${target.file?.name ?? 'thumbnail'}`;
  return world.times(`${host} ${method} ${route} ${subject} ${title ?? upload_name ?? ''}`) <= times;
}

/** Changes the reply to the first request of each kind on these routes, and no later reply. */
export function onFirst(routes: Route | readonly Route[], change: Change): Behavior {
  return on(routes, (reply, request, world) => (isEarly(request, world) ? change(reply, request, world) : reply));
}

/** Answers the first request of each kind on these routes; the library receives only later ones. */
export function insteadOfFirst(
  routes: Route | readonly Route[],
  answer: (request: Request, world: World) => Reply,
): Behavior {
  return instead(routes, (request, world) => (isEarly(request, world) ? answer(request, world) : undefined));
}

/** Changes the JSON of these routes' replies. */
// biome-ignore lint/suspicious/noExplicitAny: a case changes JSON of every shape
export function onJson(routes: Route | readonly Route[], change: (value: any) => unknown): Behavior {
  return on(routes, (reply) => withJson(reply, change));
}

/** The request takes effect; its reply is lost. */
export function lost(ending: 'reset' | 'close' = 'reset'): Change {
  return (reply) => ({ ...reply, isLost: true, ending });
}

/** Routes that only read. */
export const READS: readonly Route[] = [
  'tree',
  'collection',
  'collections',
  'list-items',
  'item',
  'list-files',
  'file',
];
/** Every route of the API that needs a token. */
export const API: readonly Route[] = [
  ...READS,
  'create-item',
  'update-item',
  'publish',
  'add-tags',
  'delete-item',
  'create-file',
  'delete-file',
  'create-thumb',
];

function isOf({ route }: Request, routes: Route | readonly Route[]): boolean {
  return typeof routes === 'string' ? route === routes : routes.includes(route);
}
