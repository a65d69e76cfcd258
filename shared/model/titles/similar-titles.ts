import { folded } from '../library-query/searched-text.ts';

/** A title that an item gets. `seconds`: its length; null: unknown. */
export interface NewTitle {
  key: string;
  title: string;
  collectionId: string;
  seconds: number | null;
}

export type KnownTitle<Item> = Omit<NewTitle, 'key'> & { item: Item };

/** `isEqual`: the titles differ in letter case, accents, spaces and punctuation only. */
export interface SimilarTitle<Item> {
  item: Item;
  isEqual: boolean;
}

/** The least share of trigrams that similar titles have in common: they differ in one letter of about 15, or in two exchanged ones of 20. */
const LEAST_COMMON = 0.65;
/** Shorter titles are similar only when they are equal. */
const SHORTEST = 8;
/** Lengths that differ by more are those of different recordings. */
const MOST_SECONDS = 1;
/** How many of their rarest trigrams two titles have to share before all are compared. */
const SHARED = 3;
/** Bounds of the work for titles that very many items have, or that are similar to very many titles. */
const MOST_KEPT = 50;
const MOST_COMPARED = 100;
const MOST_WITH_TRIGRAM = 500;

/** All new titles of a collection with the same letters and numbers. */
interface Form<Item> {
  letters: string;
  trigrams: ReadonlySet<string>;
  titles: NewTitle[];
  found: (KnownTitle<Item> & { share: number })[];
  /** The item that is being compared, and how many of its rarest trigrams this form has so far. */
  comparedTo: number;
  shared: number;
}

interface Bucket<Item> {
  byLetters: Map<string, Form<Item>>;
  byTrigram: Map<string, Form<Item>[]>;
}

/**
 * Finds for new titles the items of their collections whose titles are equal or similar, with about the same length where both are
 * known. Titles with different numbers are never similar: users number their recordings.
 *
 * Each item is looked up in an index of the new titles. Two sets that have enough trigrams in common also share some of the rarest few
 * of each, so only these are indexed: the time grows with the number of items and titles, not with their product.
 */
export class SimilarTitles<Item> {
  readonly #buckets = new Map<string, Bucket<Item>>();
  /** How many new titles have a trigram. */
  readonly #frequency = new Map<string, number>();
  #items = 0;

  /**
   * Indexes the new titles: run it to its end before `add`. Yields after each title and each form, so that the caller can do other
   * work in between.
   */
  *take(titles: Iterable<NewTitle>): Generator<void, void> {
    for (const title of titles) {
      const form = this.#formOf(title);
      form.titles.push(title);
      if (form.titles.length === 1) {
        for (const each of form.trigrams) this.#frequency.set(each, (this.#frequency.get(each) ?? 0) + 1);
      }
      yield;
    }
    for (const { byLetters, byTrigram } of this.#buckets.values()) {
      for (const form of byLetters.values()) {
        for (const trigram of this.#rarestOf(form.trigrams)) {
          const known = byTrigram.get(trigram);
          if (known === undefined) byTrigram.set(trigram, [form]);
          else known.push(form);
        }
        yield;
      }
    }
  }

  /** Compares an item with the new titles. */
  add(known: KnownTitle<Item>): void {
    const { letters, bucket } = partsOf(known);
    const found = this.#buckets.get(bucket);
    if (found === undefined) return;
    const equal = found.byLetters.get(letters);
    if (equal !== undefined) keep(equal, { ...known, share: 1 });
    if (letters.length < SHORTEST) return;
    const trigrams = trigramsOf(letters);
    if (!this.#hasEnough(trigrams)) return;
    for (const form of this.#candidates(trigrams, found)) {
      if (form === equal || form.letters.length < SHORTEST) continue;
      const share = commonShare(trigrams, form.trigrams);
      if (share >= LEAST_COMMON) keep(form, { ...known, share });
    }
  }

  /** Returns the forms that share enough of the rarest trigrams. */
  #candidates(trigrams: ReadonlySet<string>, { byTrigram }: Bucket<Item>): Form<Item>[] {
    this.#items += 1;
    const candidates: Form<Item>[] = [];
    for (const trigram of this.#rarestOf(trigrams)) {
      const forms = byTrigram.get(trigram) ?? [];
      for (let at = 0; at < forms.length && at < MOST_WITH_TRIGRAM; at += 1) {
        const form = forms[at];
        if (form === undefined) break;
        form.shared = form.comparedTo === this.#items ? form.shared + 1 : 1;
        form.comparedTo = this.#items;
        if (form.shared === SHARED && candidates.length < MOST_COMPARED) candidates.push(form);
      }
    }
    return candidates;
  }

  /** Returns whether any new title can have enough of these trigrams. */
  #hasEnough(trigrams: ReadonlySet<string>): boolean {
    let missing = 0;
    for (const each of trigrams) if (!this.#frequency.has(each)) missing += 1;
    return missing <= trigrams.size * (1 - LEAST_COMMON);
  }

  /** The most similar item of each new title that has one, by the key of the title. */
  result(): Map<string, SimilarTitle<Item>> {
    const result = new Map<string, SimilarTitle<Item>>();
    for (const { byLetters } of this.#buckets.values()) {
      for (const { titles, found } of byLetters.values()) {
        const byShare = found.toSorted((one, other) => other.share - one.share);
        for (const { key, seconds } of titles) {
          const best = byShare.find((each) => isSameLength(each.seconds, seconds));
          if (best !== undefined) result.set(key, { item: best.item, isEqual: best.share === 1 });
        }
      }
    }
    return result;
  }

  #formOf(title: NewTitle): Form<Item> {
    const { letters, bucket: name } = partsOf(title);
    const bucket = this.#buckets.get(name) ?? { byLetters: new Map(), byTrigram: new Map() };
    this.#buckets.set(name, bucket);
    const form = bucket.byLetters.get(letters) ?? newForm<Item>(letters);
    bucket.byLetters.set(letters, form);
    return form;
  }

  /** Returns so many of the rarest trigrams that two sets with enough in common have `SHARED` of them in both. */
  #rarestOf(trigrams: ReadonlySet<string>): string[] {
    const count = trigrams.size - Math.ceil(trigrams.size * LEAST_COMMON) + SHARED;
    const rarity = (each: string) => this.#frequency.get(each) ?? 0;
    return [...trigrams].sort((one, other) => rarity(one) - rarity(other) || (one < other ? -1 : 1)).slice(0, count);
  }
}

function newForm<Item>(letters: string): Form<Item> {
  return { letters, trigrams: trigramsOf(letters), titles: [], found: [], comparedTo: 0, shared: 0 };
}

/** Keeps the first items of a form; equal titles before similar ones. */
function keep<Item>({ found }: Form<Item>, item: Form<Item>['found'][number]): void {
  if (found.length < MOST_KEPT) found.push(item);
  else if (item.share === 1) {
    const weaker = found.findIndex(({ share }) => share < 1);
    if (weaker >= 0) found[weaker] = item;
  }
}

/** Returns the letters of a title, and its collection with its numbers by their value. */
function partsOf({ title, collectionId }: Pick<NewTitle, 'title' | 'collectionId'>) {
  const text = folded(title);
  const numbers = (text.match(/\d+/g) ?? []).map((digits) => digits.replace(/^0+(?=\d)/, ''));
  const letters = text.replace(/[\d ]+/g, '');
  return { letters, bucket: `${collectionId}\n${numbers.join(' ')}` };
}

function trigramsOf(letters: string): ReadonlySet<string> {
  const text = `  ${letters} `;
  const found = new Set<string>();
  for (let at = 0; at + 3 <= text.length; at += 1) found.add(text.slice(at, at + 3));
  return found;
}

/** Returns the share of the trigrams of either set that both have. */
function commonShare(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0;
  for (const each of one) if (other.has(each)) common += 1;
  return common / (one.size + other.size - common);
}

/** Libraries give unknown lengths, and pictures, the length 0. */
function isSameLength(one: number | null, other: number | null): boolean {
  return !one || !other || Math.abs(one - other) <= MOST_SECONDS;
}
