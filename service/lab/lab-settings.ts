import { z } from 'zod';
import { readMeta, writeMeta } from '../database/meta.ts';
import type { Store } from '../database/store.ts';

const labSettingsSchema = z.strictObject({
  dialect: z.enum(['reference', 'lean', 'strict']),
  /** Added to the clock, so that deadlines pass without waiting. */
  clock_offset_ms: z.number().int(),
});
export type LabSettings = z.output<typeof labSettingsSchema>;

export const DEFAULT_LAB_SETTINGS: LabSettings = { dialect: 'reference', clock_offset_ms: 0 };

/** A subset of the settings, as the control port and a configuration file accept it. */
export const labPatchSchema = labSettingsSchema.partial();

export interface LabSettingsHolder {
  current(): LabSettings;
  /** Changes the given settings. Throws a ZodError for an invalid value. */
  patch(patch: unknown): Promise<void>;
}

/** Reads the settings of tests from the database. */
export async function openLabSettings(store: Store): Promise<LabSettingsHolder> {
  const kept = await readMeta(store, 'lab-settings');
  let current: LabSettings = { ...DEFAULT_LAB_SETTINGS, ...(kept ? labPatchSchema.parse(JSON.parse(kept)) : {}) };
  return {
    current: () => current,
    async patch(patch) {
      const next = { ...current, ...labPatchSchema.parse(patch) };
      await writeMeta(store, 'lab-settings', JSON.stringify(next));
      current = next;
    },
  };
}

/** Divides settings into those of tests (`own`) and the others. Throws a ZodError for an invalid value of `own`. */
export function splitSettings(body: unknown): { own: Partial<LabSettings>; others: unknown } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { own: {}, others: body };
  const isOwn = ([name]: [string, unknown]) => Object.hasOwn(DEFAULT_LAB_SETTINGS, name);
  const entries = Object.entries(body);
  return {
    own: labPatchSchema.parse(Object.fromEntries(entries.filter(isOwn))),
    others: Object.fromEntries(entries.filter((entry) => !isOwn(entry))),
  };
}
