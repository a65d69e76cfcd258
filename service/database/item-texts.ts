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
  keep(id: number, text: string): void;
  clear(): void;
}

/** The characters that are kept at most; then all texts end. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

/** No item has this id. */
const ALL = 0;

const ITEM_CHANGES = [
  ['UPDATE ON main.media', 'NEW.id'],
  ['DELETE ON main.media', 'OLD.id'],
  ['INSERT ON main.media_tags', 'NEW.media_id'],
  ['UPDATE ON main.media_tags', 'NEW.media_id'],
  ['UPDATE ON main.media_tags', 'OLD.media_id'],
  ['DELETE ON main.media_tags', 'OLD.media_id'],
] as const;

/**
 * Starts to keep texts. Temporary triggers report the changes, including those by a cascade: they belong to the connection and leave nothing
 * in the file. The caller clears the texts when a transaction is undone, and keeps none of an open transaction.
 */
export function keepItemTexts(db: Connection): ItemTexts {
  const texts = new Map<number, string>();
  let characters = 0;
  const forget = (id: number) => {
    characters -= texts.get(id)?.length ?? 0;
    texts.delete(id);
  };
  const clear = () => {
    texts.clear();
    characters = 0;
  };
  db.function('item_changed', (id) => {
    if (id === ALL) clear();
    else forget(Number(id));
    return null;
  });
  ITEM_CHANGES.forEach(([change, id], index) => {
    db.exec(`CREATE TEMP TRIGGER "item text ${index}" AFTER ${change} BEGIN SELECT item_changed(${id}); END`);
  });
  for (const change of ['UPDATE', 'DELETE']) {
    db.exec(
      `CREATE TEMP TRIGGER "item texts ${change}" AFTER ${change} ON main.tags BEGIN SELECT item_changed(${ALL}); END`,
    );
  }
  return {
    of: (id) => texts.get(id),
    keep(id, text) {
      forget(id);
      if (characters + text.length > MOST_CHARACTERS) clear();
      texts.set(id, text);
      characters += text.length;
    },
    clear,
  };
}
