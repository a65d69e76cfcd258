import { appError } from '../../../../shared/contract/app-error.ts';
import { type Settings, type SettingsPatch, settingsSchema } from '../../../../shared/contract/settings.ts';
import { DEFAULT_SETTINGS } from '../../../../shared/model/default-settings.ts';
import { Emitter } from '../../common/emitter.ts';
import type { Logger } from '../../ports/logger.ts';
import type { SettingStore } from './setting-store.ts';

const NAME = 'settings';

/** The settings that the user chose for all uploads; stored in the profile's database. */
export class UploadSettings {
  readonly onDidChange = new Emitter<Settings>();
  readonly #stored: SettingStore;
  #current: Settings;

  constructor(stored: SettingStore, logger: Logger) {
    this.#stored = stored;
    this.#current = read(stored.get(NAME), logger);
  }

  get(): Settings {
    return this.#current;
  }

  /** Stores and announces settings. Throws `input.invalid` without changing anything. */
  set(patch: SettingsPatch): Settings {
    const checked = settingsSchema.safeParse({ ...this.#current, ...patch });
    if (!checked.success) {
      const issues = checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
      throw appError('input.invalid', { details: { issues } });
    }
    this.#stored.set(NAME, JSON.stringify(checked.data));
    this.#current = checked.data;
    this.onDidChange.emit(checked.data);
    return checked.data;
  }
}

/** Each setting separately: one that an older or newer program wrote differently does not affect the others. */
function read(text: string | null, logger: Logger): Settings {
  const settings: Record<string, unknown> = { ...DEFAULT_SETTINGS };
  if (text === null) return DEFAULT_SETTINGS;
  const stored = parsed(text);
  for (const [name, schema] of Object.entries(settingsSchema.shape)) {
    const checked = schema.safeParse((stored as Record<string, unknown> | null)?.[name]);
    if (checked.success) settings[name] = checked.data;
    else logger.warn('settings.not-understood', { name });
  }
  return settings as Settings;
}

/** Unreadable text counts as empty: all settings have their defaults. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
