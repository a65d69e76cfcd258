import type { ServerResponse } from 'node:http';
import { apiInstantOf, secondsOf } from '../../../electron/engine/mirror/mirror-rows.ts';
import type { MediaItem } from '../../../shared/api/media.ts';
import { type SeenRequest, type SmallServer, sendJson, startSmallServer } from './small-server.ts';

/**
 * A library for tests of the sync: a real HTTP server that lists items from memory, with what real services leave open
 * as options, and with faults that a correct library does not have.
 */
export class ModelLibrary {
  readonly items = new Map<string, MediaItem>();
  server!: SmallServer;
  /** Epoch seconds. */
  now = 1_700_000_000;
  pageSize = 10;
  /** Whether `created_after` and `created_before` include the instant. */
  isInclusive = false;
  /** Items that lists and counts leave out, although each can be read by its id. */
  readonly unlisted = new Set<string>();
  /** The files of items by id; lists contain them when a request joins them. null: this service ignores such requests. */
  files: Map<string, unknown[]> | null = new Map();
  /** Called after each answer, with the number of answered requests: the library changes while it is read. */
  onAnswer: (answered: number) => void = () => {};
  /** Changes an answer before it is sent. */
  spoil: (path: string, answer: unknown) => unknown = (_path, answer) => answer;
  /** The time of the `Date` header in epoch seconds. */
  dateOf: () => number = () => this.now;
  #nextId = 1;
  #answered = 0;
  #held: { needed: number; send: (() => void)[] } = { needed: 0, send: [] };

  static async start(): Promise<ModelLibrary> {
    const library = new ModelLibrary();
    library.server = await startSmallServer((request, response) => library.#answer(request, response));
    return library;
  }

  add(title: string, over: Partial<MediaItem> = {}): string {
    const id = String(this.#nextId);
    this.#nextId += 1;
    const instant = apiInstantOf(this.now);
    this.items.set(id, {
      id,
      type: 'video',
      status: 'published',
      title,
      collection_id: '1',
      created_on: instant,
      modified_on: instant,
      publish_on: null,
      byline: null,
      duration: 0,
      duration_hms: '00:00:00',
      comments_count: 0,
      likes_count: 0,
      views_count: 0,
      description: '',
      description_plain: '',
      tags: [],
      links: {},
      ...over,
    });
    return id;
  }

  /** `isSilent`: the service does not move `modified_on`. */
  change(id: string, over: Partial<MediaItem>, isSilent = false): void {
    const item = this.items.get(id);
    if (item === undefined) return;
    this.items.set(id, { ...item, ...over, ...(isSilent ? {} : { modified_on: apiInstantOf(this.now) }) });
  }

  /** Sends the next answers only when so many requests wait for theirs. */
  holdUntil(requests: number): void {
    this.#held = { needed: requests, send: [] };
  }

  requests(path: RegExp): string[] {
    return this.server.seen.map(({ url }) => url).filter((url) => path.test(url));
  }

  #answer({ url }: SeenRequest, response: ServerResponse): void {
    const { needed, send } = this.#held;
    if (needed > 0) {
      send.push(() => this.#send(url, response));
      if (send.length < needed) return;
      this.holdUntil(0);
      for (const each of send) each();
    } else this.#send(url, response);
  }

  #send(url: string, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(url, this.server.url);
    const answer = this.spoil(url, this.#answerOf(pathname, searchParams));
    if (answer === undefined) sendJson(response, 404, { message: 'There is no such thing.' });
    else sendJson(response, 200, answer, { date: new Date(this.dateOf() * 1000).toUTCString() });
    this.#answered += 1;
    this.onAnswer(this.#answered);
  }

  #answerOf(path: string, query: URLSearchParams): unknown {
    if (path === '/api2/collections/tree') {
      return { root: { id: '1', display_name: 'Top', is_podcast: false, slug: 'top', children: [] } };
    }
    if (path === '/api2/media/count') return { count: this.#listed(query).length };
    if (path === '/api2/media') return this.#page(query);
    return this.items.get(path.slice('/api2/media/'.length));
  }

  #listed(query: URLSearchParams): MediaItem[] {
    const limit = (name: string) => secondsOf(query.get(name));
    const [after, before] = [limit('created_after'), limit('created_before')];
    const margin = this.isInclusive ? 1 : 0;
    return [...this.items.values()].filter((item) => {
      const created = secondsOf(item.created_on) ?? 0;
      const isAfter = after === null || created > after - margin;
      if (query.has('type') && item.type !== query.get('type')) return false;
      return isAfter && (before === null || created < before + margin) && !this.unlisted.has(item.id);
    });
  }

  #withFiles(item: MediaItem, query: URLSearchParams): unknown {
    if (query.get('joins') !== 'files' || this.files === null) return item;
    return { ...item, files: this.files.get(item.id) ?? [] };
  }

  #page(query: URLSearchParams) {
    const column = query.get('sort') === 'modified_on' ? 'modified_on' : 'created_on';
    const direction = query.get('order') === 'desc' ? -1 : 1;
    const key = (item: MediaItem) => secondsOf(item[column]) ?? 0;
    // The API gives equal instants no order; this one differs with the direction and between the columns.
    const tie = (one: MediaItem, other: MediaItem) =>
      (Number(one.id) - Number(other.id)) * (column === 'created_on' ? 1 : -1);
    const sorted = this.#listed(query).sort((one, other) => direction * (key(one) - key(other)) || tie(one, other));
    const page = Number(query.get('_p') ?? '1');
    const end = page * this.pageSize;
    const next = new URLSearchParams(query);
    next.set('_p', String(page + 1));
    return {
      items: sorted.slice(end - this.pageSize, end).map((item) => this.#withFiles(item, query)),
      links: { self: null, prev: null, next: end < sorted.length ? `/api2/media?${next}` : null },
    };
  }
}
