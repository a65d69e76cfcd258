// The fields of a media item that users write: one line for each. Its creation, edits, spreadsheets, rules, the mirror, screens,
// commands and the service read them from here.

/** How a field is written, compared and shown: one line of text, HTML, or a list of tags. */
export type ItemFieldKind = 'line' | 'html' | 'tags';

interface ItemFieldSpec {
  kind: ItemFieldKind;
  /**
   * The most UTF-16 code units of a text, and the most tags of a list. The API has no limits and leaves them to each library:
   * these are Mediadesk's own, the same for uploads, edits, rules, spreadsheets and its service.
   */
  most: number;
  /** Whether an item without a value is refused. */
  isRequired: boolean;
  /** Further names of its column in a spreadsheet, without blanks, signs and capitals. */
  headers: readonly string[];
  /** Its names in a file that describes a recording, in lower case; the first one with a value counts. */
  detailNames: readonly string[];
  /** Whether several values in such a file are joined to one text, as several authors are. */
  isJoined: boolean;
}

/** The fields by their names, which are those of the API, in the order of forms and spreadsheets. */
export const ITEM_FIELD = {
  title: {
    kind: 'line',
    most: 1000,
    isRequired: true,
    isJoined: false,
    headers: ['name'],
    detailNames: ['title', 'fulltitle', 'name'],
  },
  byline: {
    kind: 'line',
    most: 1000,
    isRequired: false,
    isJoined: true,
    headers: ['author', 'speaker', 'by'],
    detailNames: ['byline', 'author', 'creator', 'creators', 'artist', 'speaker', 'uploader'],
  },
  description: {
    kind: 'html',
    most: 200_000,
    isRequired: false,
    isJoined: false,
    headers: ['summary', 'text'],
    detailNames: ['description', 'summary', 'abstract', 'plot'],
  },
  tags: {
    kind: 'tags',
    most: 500,
    isRequired: false,
    isJoined: false,
    headers: ['tag', 'keywords'],
    detailNames: ['tags', 'tag', 'keywords', 'keyword', 'subject'],
  },
} as const satisfies Record<string, ItemFieldSpec>;

/** The most UTF-16 code units of one tag. */
export const LONGEST_TAG = 200;

type Table = typeof ITEM_FIELD;
export type ItemField = keyof Table;
/** The fields of a kind. */
type FieldOf<Kind extends ItemFieldKind> = {
  [Field in ItemField]: Table[Field]['kind'] extends Kind ? Field : never;
}[ItemField];
/** A field whose value is a text. */
export type TextFieldKey = FieldOf<'line' | 'html'>;

/** The values with which an item is created, beside its collection. The API accepts no others at its creation. */
export type ItemFields = { [Field in TextFieldKey]: string } & { tags: string[] };

/** Every field, in the order of the table. */
export const ITEM_FIELDS = Object.keys(ITEM_FIELD) as readonly ItemField[] as readonly [ItemField, ...ItemField[]];
/** Every field whose value is a text. */
export const TEXT_FIELDS = ITEM_FIELDS.filter(isTextField) as readonly TextFieldKey[] as readonly [
  TextFieldKey,
  ...TextFieldKey[],
];

/** Whether the value of a field is a text. */
export function isTextField(field: string): field is TextFieldKey {
  return Object.hasOwn(ITEM_FIELD, field) && ITEM_FIELD[field as ItemField].kind !== 'tags';
}

/** Returns an object with a value for each key. */
export function recordOf<Key extends string, Value>(
  keys: readonly Key[],
  make: (key: Key) => Value,
): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, Value>;
}

/** Returns the values of an item without any. */
export function noItemFields(): ItemFields {
  return { ...recordOf(TEXT_FIELDS, () => ''), tags: [] };
}

/** Returns the values out of an object that has more. */
export function itemFieldsOf(source: Readonly<Record<TextFieldKey, string>> & { tags: readonly string[] }): ItemFields {
  return { ...recordOf(TEXT_FIELDS, (field) => source[field]), tags: [...source.tags] };
}

/** Returns a text of at most `most` UTF-16 code units, of which none is half of a character. */
export function cutText(text: string, most: number): string {
  const cut = text.slice(0, most);
  return /[\ud800-\udbff]$/.test(cut) && cut.length < text.length ? cut.slice(0, -1) : cut;
}
