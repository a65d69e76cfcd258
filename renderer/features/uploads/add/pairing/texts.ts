import type { UnclearPair } from '../../../../../shared/contract/upload-files.ts';
import type { ItemField } from '../../../../../shared/item/fields.ts';
import { counts, defineTexts, plural } from '../../../../kit/text/define-texts.ts';
import type { UnclearFile } from '../../state/add-pairs.ts';
import { fieldNames } from '../../state/texts.ts';

const kinds = {
  captions: (count: number) => plural(count, { one: '1 more caption file', other: '# more caption files' }),
  thumbnail: (count: number) => plural(count, { one: '1 more thumbnail', other: '# more thumbnails' }),
  details: (count: number) => plural(count, { one: '1 more description file', other: '# more description files' }),
} satisfies Record<UnclearPair['kind'], (count: number) => string>;

/** The texts about captions and thumbnails whose recording is not clear from their names. */
export const texts = defineTexts({
  en: {
    notice: (open: number) => plural(open, { one: '1 file needs your choice', other: '# files need your choice' }),
    noticeHint: (open: number) =>
      plural(open, {
        one: 'Its name doesn’t say clearly which recording it belongs to.',
        other: 'Their names don’t say clearly which recording they belong to.',
      }),
    noticeDone: (count: number) =>
      plural(count, { one: 'You chose where 1 file belongs', other: 'You chose where # files belong' }),
    noticeEarlier: (count: number) =>
      plural(count, {
        one: '1 file is added to the item of a recording that you uploaded earlier.',
        other: '# files are added to the items of recordings that you uploaded earlier.',
      }),
    choose: 'Choose…',
    change: 'Change…',
    title: 'Choose where these files belong',
    list: 'Files that need your choice',
    lead: 'Mediadesk doesn’t guess. Files without a choice aren’t uploaded.',
    kinds: { captions: 'Captions', thumbnail: 'Thumbnail', details: 'Description' } satisfies Record<
      UnclearPair['kind'],
      string
    >,
    doubts: {
      several: 'Several recordings have this name.',
      spelling: 'The name of the recording differs in capital letters or spaces.',
      part: 'The name of the recording is only similar.',
      taken: 'The recording already has a thumbnail.',
      earlier: 'Its recording was uploaded earlier.',
      repeated: 'The recording was uploaded several times.',
      changed: 'The recording was changed after its upload.',
      moved: 'The recording was moved or deleted, or this is a copy of it.',
      'has-one': 'The item already has captions with this name, or a thumbnail.',
      entered: 'Someone entered other values for the item.',
    } satisfies Record<Exclude<UnclearFile['doubt'], 'unreadable'>, string>,
    placeOf: (fileName: string) => `Place of ${fileName}`,
    open: 'Choose…',
    belongsTo: (fileName: string) => `Belongs to ${fileName}`,
    addTo: (recording: string) => `Add to the item of ${recording}`,
    describe: (recording: string) => `Change the item of ${recording}`,
    replaces: (fields: readonly ItemField[]) => `This replaces: ${fieldNames(fields)}.`,
    bulk: 'Several files at once',
    selectAll: (count: number) => plural(count, { one: 'Select 1 file', other: 'Select all # files' }),
    setSelected: (count: number) => plural(count, { one: 'Set 1 selected file to', other: 'Set # selected files to' }),
    setOpen: (count: number) =>
      plural(count, { one: 'Set 1 file without a choice to', other: 'Set # files without a choice to' }),
    setNone: 'Select files to set them',
    offered: 'The first recording offered',
    offeredFor: (count: number) => counts.files(count),
    own: 'Upload as its own item',
    leftOut: 'Leave out',
    same: (kind: UnclearPair['kind'], count: number) => `Same for ${kinds[kind](count)}`,
    more: (count: number) => plural(count, { one: 'Show 1 more file', other: 'Show # more files' }),
    chosen: (chosen: number, all: number) => `${chosen} of ${counts.files(all)} chosen`,
    reset: 'Reset all',
    done: 'Done',
  },
});
