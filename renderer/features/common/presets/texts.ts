import { defineTexts, plural } from '../../../kit/text/define-texts.ts';

const quoted = (name: string) => `“${name}”`;

/** The texts of saved options and saved patterns. */
export const texts = defineTexts({
  en: {
    presets: {
      label: 'Presets',
      current: (name: string) => `Preset: ${name}`,
      choose: 'Presets of this collection',
      applied: (name: string) => `Used the preset ${quoted(name)}.`,
      save: 'Save these options…',
      saveTitle: 'Save a preset',
      saveHint:
        'Keeps titles, tags, publication and the other options for this collection, but no publish time. A preset of the same name is replaced.',
      renameTitle: 'Rename the preset',
      removeText: 'Uploads and watched folders that used it stay as they are.',
    },
    recipes: {
      label: 'Saved patterns',
      current: (name: string) => `Pattern: ${name}`,
      choose: 'Saved patterns',
      applied: (name: string) => `Used the pattern ${quoted(name)}.`,
      save: 'Save this pattern…',
      saveTitle: 'Save the pattern',
      saveHint: 'Keeps the pattern and its templates for all libraries. A pattern of the same name is replaced.',
      renameTitle: 'Rename the pattern',
      removeText: 'Items that it described stay as they are.',
    },
    needsCollection: 'Choose a collection first',
    count: (count: number) =>
      count === 0 ? 'None saved yet' : plural(count, { one: '# for this collection', other: '# for this collection' }),
    savedCount: (count: number) =>
      count === 0 ? 'None saved yet' : plural(count, { one: '# saved', other: '# saved' }),
    saveAction: 'Save',
    rename: (name: string) => `Rename ${quoted(name)}…`,
    renameAction: 'Rename',
    remove: (name: string) => `Delete ${quoted(name)}…`,
    removeTitle: (name: string) => `Delete ${quoted(name)}?`,
    removeAction: 'Delete',
  },
});
