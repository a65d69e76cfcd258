import type { PresetValues, UploadPreset } from '../../../../shared/contract/presets.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { createSavedLists } from './saved-lists.ts';
import { SavedMenu } from './saved-menu.tsx';
import { texts } from './texts.ts';
import { useSaved } from './use-saved.ts';

interface PresetMenuProps {
  siteId: string | null;
  /** Presets belong to a collection of the library; null: none is chosen. */
  collectionId: string | null;
  /** The current options, from which a preset can be saved; null: they can't be saved now. */
  values: PresetValues | null;
  onApply: (values: PresetValues) => void;
}

const lists = createSavedLists<UploadPreset>();

/** Saved options of a collection. */
export function PresetMenu({ siteId, collectionId, values, onApply }: PresetMenuProps) {
  const place = siteId === null || collectionId === null ? null : { siteId, collectionId };
  const saved = useSaved(
    lists,
    JSON.stringify(place),
    place === null
      ? null
      : {
          list: () => call('presets.list', place),
          save: (name, given: PresetValues) => call('presets.save', { ...place, name, values: given }),
          rename: (id, name) => call('presets.rename', { ...place, id, name }),
          remove: (id) => call('presets.remove', { ...place, id }),
          use: (id) => call('presets.use', { ...place, id }),
        },
  );
  const { presets: words } = texts;
  return (
    <SavedMenu
      words={words}
      saved={saved}
      values={values}
      isDisabled={place === null}
      hint={place === null ? texts.needsCollection : saved.list === null ? '' : texts.count(saved.list.length)}
      onApply={(preset) => onApply(preset.values)}
    />
  );
}
