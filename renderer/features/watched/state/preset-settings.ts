import type { PresetValues } from '../../../../shared/contract/presets.ts';
import type { FolderSettings } from '../../../../shared/contract/watch-rules.ts';

/** The settings that a preset contains. Manifest files are a setting of the folder, not of a preset. */
type SharedSettings = Omit<FolderSettings, 'siteId' | 'collection' | 'details' | 'manifest'>;

/** Returns copies of the settings that a preset sets for a rule: later changes of the preset do not affect them. */
export function settingsOfPreset({ publish, ...values }: PresetValues): SharedSettings {
  return { ...values, publish: { kind: publish } };
}

/** Returns settings in the form of a preset; null when they have a delay of publication, which a preset can't contain. */
export function presetOfSettings({ publish, ...settings }: SharedSettings): PresetValues | null {
  if (publish.kind === 'after') return null;
  const { titleTemplate, tags, duplicates, sidecars, source, priority } = settings;
  return { titleTemplate, tags, duplicates, sidecars, source, priority, publish: publish.kind };
}

/** Returns the collection whose presets apply; null when no collection is chosen by its id. */
export function presetPlaceOf(mapping: FolderSettings['collection']): string | null {
  const target = mapping.kind === 'fixed' ? mapping.collection : mapping.parent;
  return target.kind === 'id' ? target.id : null;
}
