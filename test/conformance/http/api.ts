import { Failure } from '../suite/failure.ts';
import { type Answer, at, isObject, type Json, type JsonObject } from './answer.ts';
import type { Session } from './session.ts';
import type { Query, RequestOptions, Site } from './site.ts';

/** A list with more pages than this counts as endless. */
const MAX_PAGES = 2000;

/** Sends requests with the token of one user. After a 401, the tokens are refreshed, and the request is repeated once. */
export class Api {
  readonly site: Site;
  readonly session: Session;

  constructor(site: Site, session: Session) {
    this.site = site;
    this.session = session;
  }

  async send(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const ask = () => this.site.send(method, path, { ...options, token: this.session.accessToken });
    const answer = await ask();
    return answer.status === 401 && (await this.session.renew()) ? ask() : answer;
  }

  get(path: string, query: Query = {}): Promise<Answer> {
    return this.send('GET', path, { query });
  }

  post(path: string, body?: Json): Promise<Answer> {
    return this.send('POST', path, { body });
  }

  delete(path: string, query: Query = {}): Promise<Answer> {
    return this.send('DELETE', path, { query });
  }

  /** The resource at a path; it must exist. */
  async read(path: string, query: Query = {}): Promise<JsonObject> {
    const answer = await this.get(path, query);
    if (answer.status !== 200) throw new Failure(`200 was expected: ${answer}`);
    return answer.object();
  }

  /** All items of a list, page by page along `links.next`. */
  async list(path: string, query: Query = {}): Promise<JsonObject[]> {
    const items: JsonObject[] = [];
    let answer = await this.get(path, query);
    for (let page = 0; page < MAX_PAGES; page += 1) {
      items.push(...itemsOf(answer));
      const next = at(answer.object(), 'links.next');
      if (typeof next !== 'string') return items;
      answer = await this.get(this.site.pathOf(next));
    }
    throw new Failure(`The list has more than ${MAX_PAGES} pages: ${path}`);
  }

  /** The ids of all items of a list. */
  async ids(path: string, query: Query = {}): Promise<string[]> {
    return (await this.list(path, query)).map((item) => String(item.id));
  }
}

/** The items of a page; it must be a list envelope. */
export function itemsOf(answer: Answer): JsonObject[] {
  if (answer.status !== 200) throw new Failure(`200 was expected: ${answer}`);
  const { items, links } = answer.object();
  if (!Array.isArray(items)) throw new Failure(`items is not an array: ${answer}`);
  if (!isObject(links)) throw new Failure(`links is not an object: ${answer}`);
  return items.map((item) => {
    if (!isObject(item)) throw new Failure(`an item is not an object: ${answer}`);
    return item;
  });
}
