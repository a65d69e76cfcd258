import { CHANGES, type TableGroup } from '../changes.ts';
import { ALL_ITEMS, createItemTexts } from '../item-texts.ts';

/** How often each subject has changed. */
type Counts = Record<TableGroup, number>;

/** What a transaction has changed so far, and what had changed before it began. */
export interface Changed {
  readonly since: Counts;
  readonly messages: Set<string>;
}

/**
 * What is kept in the memory of this process, and dropped when the database changes. Own changes count when their transaction has been
 * committed, those of other processes when the notification comes. While none can come, nothing is kept.
 */
export interface Caches {
  /** Begin to note what a transaction changes. Call it before the first statement. */
  begin(): Changed;
  /** The messages of committed changes: subjects, or ids of items with commas between them. */
  apply(messages: Iterable<string>): void;
  /** Anything may have changed. */
  dropAll(): void;
  /** Whether notifications come. */
  setListening(isListening: boolean): void;
  derived<T>(subject: TableGroup, name: string, work: () => T | Promise<T>, changed: Changed | undefined): Promise<T>;
  itemText(id: number): string | undefined;
  /** The number of changes of items, for `keepItemText`. */
  itemChanges(): number;
  keepItemText(id: number, text: string, since: number): void;
}

export function createCaches(): Caches {
  const counts = Object.fromEntries(Object.keys(CHANGES).map((subject) => [subject, 0])) as Counts;
  const held = new Map<string, { count: number; value: Promise<unknown>; isThere: boolean }>();
  const texts = createItemTexts();
  let isListening = false;

  function dropAll(): void {
    for (const subject of Object.keys(counts) as TableGroup[]) counts[subject] += 1;
    held.clear();
    texts.clear();
  }

  function apply(message: string): void {
    if (Object.hasOwn(counts, message)) counts[message as TableGroup] += 1;
    else for (const id of message.split(',')) texts.forget(Number(id) || ALL_ITEMS);
  }

  return {
    begin: () => ({ since: { ...counts }, messages: new Set() }),
    apply(messages) {
      for (const message of messages) apply(message);
    },
    dropAll,
    setListening(is) {
      isListening = is;
      dropAll();
    },
    async derived<T>(
      subject: TableGroup,
      name: string,
      work: () => T | Promise<T>,
      changed: Changed | undefined,
    ): Promise<T> {
      if (!isListening || changed?.messages.has(subject)) return await work();
      // A transaction may see less than what is known to have changed since it began.
      const count = changed?.since[subject] ?? counts[subject];
      const known = held.get(name);
      // A transaction has a connection: what is computed outside of it may wait for one.
      if (known?.count === counts[subject] && (known.isThere || changed === undefined)) return (await known.value) as T;
      const value = (async () => work())();
      if (changed === undefined) {
        const entry = { count, value, isThere: false };
        held.set(name, entry);
        value.then(
          () => {
            entry.isThere = true;
          },
          () => {
            if (held.get(name) === entry) held.delete(name);
          },
        );
        return await value;
      }
      const result = await value;
      if (!changed.messages.has(subject)) {
        held.set(name, { count, value: Promise.resolve(result), isThere: true });
      }
      return result;
    },
    itemText: (id) => (isListening ? texts.of(id) : undefined),
    itemChanges: () => texts.changes(),
    keepItemText(id, text, since) {
      if (isListening) texts.keep(id, text, since);
    },
  };
}
