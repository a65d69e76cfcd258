import { ITEM_CHANGES } from './changes.ts';

/** The part of the database connection that is used here. */
interface Connection {
  function(name: string, body: (argument: unknown) => null): void;
  exec(sql: string): void;
}

/**
 * Texts that are made from the row of a media item and its tags alone, such as its JSON in lists, by the id of the item. A change of the
 * item or of its tags ends its text, within the transaction that makes it.
 */
export interface ItemTexts {
  of(id: number): string | undefined;
  /** The number of changes so far: a text must not be kept when one has come since its row was read. */
  changes(): number;
  /** `since`: the number of changes before the row was read. */
  keep(id: number, text: string, since: number): void;
  /** Ends the text of an item, or all (`ALL_ITEMS`). */
  forget(id: number): void;
  clear(): void;
}

/** The characters that are kept at most; then all texts end. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

/** Stands for all items: none has this id. */
export const ALL_ITEMS = 0;

export function createItemTexts(): ItemTexts {
  const texts = new Map<number, string>();
  let characters = 0;
  let changes = 0;
  const remove = (id: number) => {
    characters -= texts.get(id)?.length ?? 0;
    texts.delete(id);
  };
  const clear = () => {
    changes += 1;
    texts.clear();
    characters = 0;
  };
  return {
    of: (id) => texts.get(id),
    changes: () => changes,
    keep(id, text, since) {
      if (since !== changes) return;
      remove(id);
      if (characters + text.length > MOST_CHARACTERS) {
        texts.clear();
        characters = 0;
      }
      texts.set(id, text);
      characters += text.length;
    },
    forget(id) {
      if (id === ALL_ITEMS) return clear();
      changes += 1;
      remove(id);
    },
    clear,
  };
}

/**
 * Starts to keep texts. Temporary triggers report the changes, including those by a cascade: they belong to the connection and leave nothing
 * in the file. The caller clears the texts when a transaction is undone, and keeps none of an open transaction.
 */
export function keepItemTexts(db: Connection): ItemTexts {
  const texts = createItemTexts();
  db.function('item_changed', (id) => {
    texts.forget(Number(id));
    return null;
  });
  ITEM_CHANGES.forEach(({ event, table, column }, index) => {
    const rows = { INSERT: ['NEW'], UPDATE: ['OLD', 'NEW'], DELETE: ['OLD'] }[event];
    const ids = rows.map((row) => (column === undefined ? ALL_ITEMS : `${row}.${column}`));
    const calls = ids.map((id) => `SELECT item_changed(${id});`);
    db.exec(`CREATE TEMP TRIGGER "item text ${index}" AFTER ${event} ON main.${table} BEGIN ${calls.join(' ')} END`);
  });
  return texts;
}
