import {
  type DesktopPreferences,
  type DesktopPreferencesPatch,
  desktopPreferencesSchema,
  FRESH_DESKTOP_PREFERENCES,
} from '../../../shared/contract/desktop.ts';
import { Emitter } from '../../engine/common/emitter.ts';
import { readStored, type StoredJson, writeStored } from '../stored-json.ts';

/** The preferences of this desktop, stored in the profile. */
export interface DesktopPreferenceStore {
  get(): DesktopPreferences;
  /** Throws when the file can't be written; the old preferences stay. */
  set(patch: DesktopPreferencesPatch): void;
  onDidChange: Emitter<DesktopPreferences>;
}

/** Reads the preferences; a missing or damaged file has the defaults. */
export async function openDesktopPreferences(file: string): Promise<DesktopPreferenceStore> {
  const stored: StoredJson<typeof desktopPreferencesSchema.shape> = {
    file,
    schema: desktopPreferencesSchema,
    fresh: FRESH_DESKTOP_PREFERENCES,
  };
  let current = await readStored(stored);
  const onDidChange = new Emitter<DesktopPreferences>();
  return {
    get: () => current,
    set(patch) {
      const next = desktopPreferencesSchema.parse({ ...current, ...patch });
      writeStored(stored, next);
      current = next;
      onDidChange.emit(next);
    },
    onDidChange,
  };
}
