import type { PresetValues } from '../../../shared/contract/presets.ts';
import type { FolderSettings } from '../../../shared/contract/watch-rules.ts';

/** What presets have. Files that describe others are a matter of the folder. */
type SharedSettings = Omit<FolderSettings, 'siteId' | 'collection' | 'details' | 'manifest'>;

/** Returns the settings of a rule that a preset sets: copies, which later changes of the preset leave alone. */
export function settingsOfPreset({ publish, ...values }: PresetValues): SharedSettings {
  return { ...values, publish: { kind: publish } };
}

/** Returns settings as a preset keeps them; null where it can't: it has no delay of a publication. */
export function presetOfSettings({ publish, ...settings }: SharedSettings): PresetValues | null {
  if (publish.kind === 'after') return null;
  const { titleTemplate, tags, duplicates, sidecars, source, priority } = settings;
  return { titleTemplate, tags, duplicates, sidecars, source, priority, publish: publish.kind };
}

/** Returns the collection whose presets fit; null where none is chosen by its id. */
export function presetPlaceOf(mapping: FolderSettings['collection']): string | null {
  const target = mapping.kind === 'fixed' ? mapping.collection : mapping.parent;
  return target.kind === 'id' ? target.id : null;
}
