import { z } from 'zod';

/**
 * Building blocks of the wire types.
 *
 * The schemas accept more than the API promises (a missing field counts as null, numbers pass as identifiers, unknown
 * enum values stay as they are), because a client must not fall over a server that is a little newer or older. What they
 * put out has one shape: every field present, blanks as null.
 */

/** An identifier: a string on the wire; a number is taken as its decimal text. */
export const idSchema = z.union([z.string().min(1), z.number().int().transform(String)]);

/** A value that may be null or absent; absent becomes null. */
export function blank<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? null);
}

/** A value with a fall-back for null or absent. */
export function withDefault<T>(schema: z.ZodType<T>, fallback: NoInfer<T>) {
  return schema.nullish().transform((value) => value ?? fallback);
}

/** UTC, ISO-8601, `YYYY-MM-DDTHH:MM:SSZ`. Kept as text: the client compares and shows it, and sends it back unchanged. */
export const timestampSchema = z.string();

/** One of the known words, or any other word that a newer server may send. */
export type OpenEnum<K extends string> = K | (string & {});

export function openEnum<const K extends readonly string[]>(_known: K): z.ZodType<OpenEnum<K[number]>> {
  return z.string() as z.ZodType<OpenEnum<K[number]>>;
}

/** The `links` object of a resource: named paths, null where there is nothing to follow. */
export const linksSchema = withDefault(z.record(z.string(), z.string().nullish()), {});

/** The list envelope: the items of this page, and the links to the pages around it. */
export function listEnvelope<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item),
    links: withDefault(
      z.object({
        self: z.string().nullish(),
        prev: z.string().nullish(),
        next: z.string().nullish(),
        count: z.string().nullish(),
      }),
      {},
    ),
  });
}

export const countSchema = z.object({ count: z.number().int().nonnegative() });
