import { z } from 'zod';

const HALF_PAIR = /\p{Surrogate}/u;
const HALF_PAIRS = /\p{Surrogate}/gu;
const MAX_ID_CHARS = 1000;
/** Far beyond the limit of any library; sorting and searching a name of megabytes would take seconds for each item. */
const MAX_LINE_CHARS = 10_000;

/**
 * Building blocks of the wire types.
 *
 * The schemas accept more than the API promises (a missing field counts as null, numbers are valid identifiers, unknown enum
 * values are kept), because a client must work with a server that is a little newer or older. Their output has one shape: every
 * field present, blanks as null.
 */

/**
 * An identifier: a string on the wire; a number is read as its decimal text. One that no address can contain (with half a
 * surrogate pair), or a very long one, is unreadable.
 */
export const idSchema = z.union([
  z
    .string()
    .min(1)
    .max(MAX_ID_CHARS)
    .refine((id) => !HALF_PAIR.test(id)),
  z.number().int().transform(String),
]);

/** A name or another text of one line. The rest of an excessively long one is dropped. */
export const lineSchema = z.string().transform((text) => text.slice(0, MAX_LINE_CHARS).replace(HALF_PAIRS, '\ufffd'));

/**
 * A value that may be null or absent; an absent or unreadable value becomes null, because an informational field must not make
 * the whole resource unreadable.
 */
export function blank<T extends z.ZodType>(schema: T) {
  return schema
    .nullish()
    .catch(() => null as z.output<T>)
    .transform((value) => value ?? null);
}

/** A value that may be null or absent; a null, absent or unreadable value becomes `fallback`. */
export function withDefault<T>(schema: z.ZodType<T>, fallback: NoInfer<T>) {
  return schema
    .nullish()
    .catch(fallback)
    .transform((value) => value ?? fallback);
}

/** A number; some libraries write numbers as text. */
export const numberSchema = z.union([
  z.number(),
  z
    .string()
    .regex(/^\s*-?\d{1,20}(\.\d{1,20})?\s*$/)
    .transform(Number),
]);

/** A truth value; some libraries write 0 and 1, as the API's own query parameters do. */
export const booleanSchema = z.union([
  z.boolean(),
  z.literal([0, '0', 'false']).transform(() => false),
  z.literal([1, '1', 'true']).transform(() => true),
]);

/** A list that keeps only its readable entries. */
export function readableOf<T extends z.ZodType>(entry: T) {
  return z.array(z.unknown()).transform((entries) =>
    entries.flatMap((each): z.output<T>[] => {
      const parsed = entry.safeParse(each);
      return parsed.success ? [parsed.data] : [];
    }),
  );
}

/** UTC, ISO-8601, `YYYY-MM-DDTHH:MM:SSZ`. Kept as text: the client compares and shows it, and sends it back unchanged. */
export const timestampSchema = z.string();

/** One of the known values, or another value of a newer server. */
type OpenEnum<K extends string> = K | (string & {});

/** Accepts known values in any letter case; other values are kept. */
export function openEnum<const K extends readonly string[]>(known: K): z.ZodType<OpenEnum<K[number]>> {
  const word = z.string().transform((given) => known.find((each) => each === given.toLowerCase()) ?? given);
  return word as z.ZodType<OpenEnum<K[number]>>;
}

/** A path, or an object that names it as `href`; everything else, an empty text included, is no link. */
const linkSchema = z
  .union([z.string(), z.object({ href: z.string() }).transform(({ href }) => href)])
  .nullish()
  .catch(null)
  .transform((link) => link || null);

/** The `links` object of a resource: named paths, null when there is no link. */
export const linksSchema = withDefault(z.record(z.string(), linkSchema), {});

/**
 * The link to the next page: null, absent, empty or false on the last page. Any other shape is an error, because the list would
 * otherwise seem to end there.
 */
const nextLinkSchema = z
  .union([z.string(), z.object({ href: z.string() }).transform(({ href }) => href), z.literal(false)])
  .nullish()
  .transform((link) => link || null);

/** The list envelope: the items of this page, and the links to the neighbouring pages. */
export function listEnvelope<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item),
    links: z
      .object({ self: linkSchema, prev: linkSchema, next: nextLinkSchema, count: linkSchema })
      .nullish()
      .transform((links) => links ?? { self: null, prev: null, next: null, count: null }),
  });
}

export const countSchema = z.object({ count: numberSchema.pipe(z.number().int().nonnegative()) });
