import { appError } from '../../../../shared/contract/app-error.ts';
import { type Settings, type SettingsPatch, settingsSchema } from '../../../../shared/contract/settings.ts';
import { DEFAULT_SETTINGS } from '../../../../shared/model/default-settings.ts';
import { Emitter } from '../../common/emitter.ts';
import type { Logger } from '../../ports/logger.ts';
import { type SettingTexts, StoredSettings } from '../../store/stored-settings.ts';

const NAME = 'settings';

/** The settings that the user chose for all uploads; stored in the profile's database. */
export class UploadSettings {
  readonly onDidChange = new Emitter<Settings>();
  readonly #stored: StoredSettings;
  #current: Settings;

  /** A stored value that this version does not accept is replaced by the default, and stays stored until the user changes it. */
  constructor(texts: SettingTexts, logger: Logger) {
    this.#stored = new StoredSettings(texts, logger);
    this.#current = { ...DEFAULT_SETTINGS, ...this.#stored.object(NAME, settingsSchema) };
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
    const chosen = Object.entries(checked.data).filter(([name]) => Object.hasOwn(patch, name));
    this.#stored.setObject(NAME, Object.fromEntries(chosen));
    this.#current = checked.data;
    this.onDidChange.emit(checked.data);
    return checked.data;
  }
}
