/** The row of `meta` with the lowest version of the schema whose programs can use the database. */
export const READABLE_KEY = 'schema_readable_from';

/** The schema that a program knows. */
export interface KnownSchema {
  version: number;
  /** What brings a database of version 0 to this one. */
  steps: readonly string[];
  readableFrom: number;
}

/**
 * Returns the steps that a database lacks; undefined when a newer program made it and this one can use it. `taken`: the version of the
 * database; `readable`: its row of `READABLE_KEY`. Throws when this program can't use it.
 */
export function pendingSteps(
  schema: KnownSchema,
  taken: number,
  readable: string | undefined,
): readonly string[] | undefined {
  if (taken <= schema.version) return schema.steps.slice(taken);
  if (Number(readable ?? taken) <= schema.version) return undefined;
  throw new Error(
    `A newer version has written the data directory (schema ${taken}; this version can use ${schema.version}). ` +
      'Install the newer version again, or restore a backup that was made before its first start.',
  );
}
