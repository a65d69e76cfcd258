import { z } from 'zod';
import { appErrorSchema } from '../../../shared/contract/app-error.ts';
import { readStored, type StoredJson, writeStored } from '../stored-json.ts';

const memorySchema = z.object({
  /** The switch of the user. */
  isAutomatic: z.boolean(),
  checkedAt: z.number().nullable(),
  /** When the newest feed that was trusted was signed. */
  newestSeen: z.number().nullable(),
  /** A random text: decides with which share of installations this one is offered a version. */
  stageId: z.string(),
  /** Why an installation failed after the engine had ended: shown after the next start. */
  notInstalled: appErrorSchema.nullable(),
});
type Remembered = z.output<typeof memorySchema>;

/** What is known about updates from earlier, in the profile. */
export interface UpdateMemory {
  get(): Remembered;
  /** Throws when the file can't be written. */
  set(patch: Partial<Remembered>): void;
}

/** Reads the memory. `newId`: makes the random text of a new one. */
export async function openUpdateMemory(file: string, newId: () => string): Promise<UpdateMemory> {
  const stored: StoredJson<typeof memorySchema.shape> = {
    file,
    schema: memorySchema,
    fresh: { isAutomatic: true, checkedAt: null, newestSeen: null, stageId: '', notInstalled: null },
  };
  let current = await readStored(stored);
  const set = (patch: Partial<Remembered>) => {
    const next = { ...current, ...patch };
    writeStored(stored, next);
    current = next;
  };
  if (current.stageId === '') current = { ...current, stageId: newId() };
  return { get: () => current, set };
}
