import { defineTexts, plural } from '../../../../kit/text/define-texts.ts';

/** The texts about exports and imports that are shown outside their dialogs. */
export const texts = defineTexts({
  en: {
    exported: (count: number) => plural(count, { one: 'Exported # item.', other: 'Exported # items.' }),
    emptied: (count: number) =>
      plural(count, {
        one: '# text is too long for a cell of XLSX. Its cell is empty, which changes nothing when you import the file.',
        other:
          '# texts are too long for a cell of XLSX. Their cells are empty, which changes nothing when you import the file.',
      }),
    emptiedNext: 'To export them too, choose CSV.',
    showInFolder: 'Show in folder',
    showInFolderHint: 'Use “Show in folder” to open it.',
    fileName: 'items',
    errorsName: (fileName: string) => `${fileName} with errors`,
    errorsSaved: 'Saved a copy with an error column.',
    label: (fileName: string) => `Import ${fileName}`,
  },
});
