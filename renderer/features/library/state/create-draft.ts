// Forms that edit what the library has: what the user changed, and what a save writes. Each form lists its fields with their rules.

/** A changed field. `base`: the value of the library that the user saw when the change began. */
export interface FieldEdit<Value> {
  readonly mine: Value;
  readonly base: Value;
}

/** The changed fields of a form. Fields that are not changed follow the library. */
export type EditsOf<Values> = { readonly [F in keyof Values]?: FieldEdit<Values[F]> };

/** How a form treats one of its fields. */
export interface FieldRules<Value> {
  /** The name of the field in the API. */
  wire: string;
  /** Returns the value that a save writes, such as a line without the blanks around it. */
  written: (value: Value) => unknown;
  /** Returns whether the user sees no difference between two values that a save would write. */
  isSame: (one: Value, other: Value) => boolean;
  /** Returns whether two values are the same for the library. `isSame` when it is missing. */
  isEquivalent?: (one: Value, other: Value) => boolean;
  /** Applies an edit to a value that someone else wrote. Such a field has no conflicts; the user decides about all others. */
  merged?: (edit: FieldEdit<Value>, theirs: Value) => Value;
}

/** The edits of one kind of form. None of its functions changes its arguments. */
export interface FormEdits<Values, Patch> {
  /** The fields in the order of the form. */
  fields: readonly (keyof Values)[];
  /** Returns the shown values: those of the library with the edits applied. */
  shown(values: Values, edits: EditsOf<Values>): Values;
  /** Returns the edits after the user changed fields. A field that again has exactly the value of its base is no longer an edit. */
  changed(values: Values, edits: EditsOf<Values>, change: Partial<Values>): EditsOf<Values>;
  /** Returns the edits after the library's values changed: one that the library has too is dropped, lists are merged. */
  followed(values: Values, edits: EditsOf<Values>): EditsOf<Values>;
  /** Returns the edited fields whose value someone else changed after the start of the edit. */
  conflicts(values: Values, edits: EditsOf<Values>): (keyof Values)[];
  /** Returns the edits after a decision about a conflict: the user's value now replaces the library's, or is dropped. */
  settled(values: Values, edits: EditsOf<Values>, field: keyof Values, choice: 'mine' | 'theirs'): EditsOf<Values>;
  /**
   * Returns the edits that remain after `sent` was saved: what was changed in the meantime, with the saved value as base.
   * `values`: the library's present values.
   */
  after(sent: EditsOf<Values>, now: EditsOf<Values>, values: Values): EditsOf<Values>;
  /** Returns the edits of which a save would write something. */
  written(edits: EditsOf<Values>): EditsOf<Values>;
  /** Returns the edited values as the user entered them. */
  mine(edits: EditsOf<Values>): Partial<Values>;
  /** Returns the changed fields as the API expects them; unchanged fields are not sent. */
  patch(edits: EditsOf<Values>): Patch;
  /** Returns the values that the user saw of the changed fields, by their names in the API. */
  expected(edits: EditsOf<Values>): Patch;
}

/** Returns the edits of a form with these fields. `Patch`: the changed fields by their names in the API. */
export function createDraft<Values extends object, Patch>(
  rules: {
    readonly [F in keyof Values]: FieldRules<Values[F]>;
  },
): FormEdits<Values, Patch> {
  type Edits = EditsOf<Values>;
  type Field = keyof Values;
  const fields = Object.keys(rules) as Field[];
  const isEquivalent = <F extends Field>(field: F, one: Values[F], other: Values[F]) =>
    isEqual(one, other) || (rules[field].isEquivalent ?? rules[field].isSame)(one, other);

  const changed = (values: Values, edits: Edits, change: Partial<Values>): Edits => {
    let result = edits;
    for (const field of fields) {
      const mine = change[field];
      if (mine === undefined) continue;
      const base = result[field]?.base ?? values[field];
      result = isEqual(mine, base) ? without(result, [field]) : { ...result, [field]: { mine, base } };
    }
    return result;
  };
  const followed = (values: Values, edits: Edits): Edits => {
    let rest = without(
      edits,
      fields.filter((field) => {
        const edit = edits[field];
        return edit !== undefined && isEquivalent(field, edit.mine, values[field]);
      }),
    );
    for (const field of fields) {
      const [edit, { merged }] = [rest[field], rules[field]];
      if (edit === undefined || merged === undefined) continue;
      rest = changed(values, without(rest, [field]), only<Values, Field>(field, merged(edit, values[field])));
    }
    return rest;
  };
  const written = (edits: Edits): Edits =>
    without(
      edits,
      fields.filter((field) => {
        const edit = edits[field];
        return edit !== undefined && rules[field].isSame(edit.mine, edit.base);
      }),
    );
  const byWire = (edits: Edits, pick: <F extends Field>(field: F, edit: FieldEdit<Values[F]>) => unknown): Patch => {
    const kept = written(edits);
    const entries = fields.flatMap((field) => {
      const edit = kept[field];
      return edit === undefined ? [] : [[rules[field].wire, pick(field, edit)] as const];
    });
    return Object.fromEntries(entries) as Patch;
  };

  return {
    fields,
    changed,
    followed,
    written,
    shown: (values, edits) => ({ ...values, ...mineOf(fields, edits) }),
    mine: (edits) => mineOf(fields, edits),
    conflicts: (values, edits) =>
      fields.filter((field) => {
        const edit = edits[field];
        return (
          edit !== undefined && rules[field].merged === undefined && !isEquivalent(field, edit.base, values[field])
        );
      }),
    settled(values, edits, field, choice) {
      const edit = edits[field];
      if (edit === undefined) return edits;
      const rest = without(edits, [field]);
      return choice === 'theirs' ? rest : changed(values, rest, only<Values, Field>(field, edit.mine));
    },
    after(sent, now, values) {
      let left = now;
      for (const field of fields) {
        const [before, after] = [sent[field], now[field]];
        if (before === undefined || after === undefined) continue;
        left = without(left, [field]);
        if (!rules[field].isSame(before.mine, after.mine)) {
          left = changed(values, left, only<Values, Field>(field, after.mine));
        }
      }
      return followed(values, left);
    },
    patch: (edits) => byWire(edits, (field, { mine }) => rules[field].written(mine)),
    expected: (edits) => byWire(edits, (_, { base }) => base),
  };
}

function only<Values, F extends keyof Values>(field: F, value: Values[F]): Partial<Values> {
  return { [field]: value } as unknown as Partial<Values>;
}

/** Returns the edited values as the user entered them. */
function mineOf<Values>(fields: readonly (keyof Values)[], edits: EditsOf<Values>): Partial<Values> {
  const entries = fields.flatMap((field) => {
    const edit = edits[field];
    return edit === undefined ? [] : [[field, edit.mine] as const];
  });
  return Object.fromEntries(entries) as Partial<Values>;
}

/** Returns edits without some of their fields. */
function without<Values>(edits: EditsOf<Values>, fields: readonly (keyof Values)[]): EditsOf<Values> {
  if (!fields.some((field) => field in edits)) return edits;
  const left = Object.entries(edits).filter(([field]) => !fields.includes(field as keyof Values));
  return Object.fromEntries(left) as EditsOf<Values>;
}

/** Returns whether two values, or two lists in their order, are exactly the same. A tag can contain a comma. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((each, at) => each === other[at]);
}

/** The rules of a line of text: blanks around it are not saved. */
export function lineField(wire: string): FieldRules<string> {
  return { wire, written: (text) => text.trim(), isSame: (one, other) => one.trim() === other.trim() };
}

/** The rules of a value that is saved exactly as it is. */
export function exact<Value>(wire: string): FieldRules<Value> {
  return { wire, written: (value) => value, isSame: isEqual };
}
