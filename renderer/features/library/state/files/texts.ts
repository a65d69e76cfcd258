import { counts, defineTexts, plural } from '../../../../kit/text/define-texts.ts';

/** The announcements of commands for files. */
export const texts = defineTexts({
  en: {
    adding: (count: number) =>
      plural(count, { one: 'Adding # file to the item.', other: 'Adding # files to the item.' }),
    deletedLater: (name: string) => `“${name}” will be deleted when the library can be reached.`,
    embedded: (name: string) => `Added “${name}”.`,
    embeddedLater: (name: string) => `“${name}” will be added when the library can be reached.`,
    notAdded: (name: string, reason: string) => `“${name}” wasn’t added. ${reason}`,
    chooseFolder: 'Choose a folder for the download',
    tooManyItems: (count: number, limit: number) =>
      `You selected ${counts.items(count)}. You can download up to ${counts.items(limit)} at a time.`,
    tooManyItemsNext: 'Select fewer items.',
    nothingToShow: 'This item has no file that can be played or shown.',
    nothingToShowNext: 'Download its files, or wait until the library has processed them.',
    downloading: (count: number) => plural(count, { one: 'Downloading # file.', other: 'Downloading # files.' }),
    downloaded: (name: string) => `“${name}” was downloaded.`,
    notDownloaded: (name: string, reason: string) => `“${name}” wasn’t downloaded. ${reason}`,
  },
});
