import { defineTexts, plural } from './define-texts.ts';

/** Counts with their noun, such as `1 item` and `1,204 items`. */
export const counts = defineTexts({
  en: {
    items: (count: number) => plural(count, { one: '# item', other: '# items' }),
    files: (count: number) => plural(count, { one: '# file', other: '# files' }),
    uploads: (count: number) => plural(count, { one: '# upload', other: '# uploads' }),
    collections: (count: number) => plural(count, { one: '# collection', other: '# collections' }),
    rows: (count: number) => plural(count, { one: '# row', other: '# rows' }),
  },
});
