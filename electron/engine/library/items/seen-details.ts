import type { MediaDetail } from '../../../../shared/contract/library.ts';

const MOST = 200;

/** Items that were shown in full, the most recently used last, for use while the library can't be reached. */
export class SeenDetails {
  readonly #seen = new Map<string, MediaDetail>();

  note(siteId: string, detail: MediaDetail): void {
    const key = `${siteId} ${detail.item.id}`;
    this.#seen.delete(key);
    this.#seen.set(key, detail);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MOST && oldest !== undefined) this.#seen.delete(oldest);
  }

  get(siteId: string, mediaId: string): MediaDetail | null {
    return this.#seen.get(`${siteId} ${mediaId}`) ?? null;
  }

  /** Forgets the items of an account: data of one account is never shown to another. */
  forget(siteId: string): void {
    for (const key of this.#seen.keys()) if (key.startsWith(`${siteId} `)) this.#seen.delete(key);
  }
}
