import { defineTexts, plural } from '../../../../kit/text/define-texts.ts';
import { formatCount } from '../../../../kit/text/format.ts';

/** The texts of the checks of podcast details. */
export const texts = defineTexts({
  en: {
    savedHere: 'Podcast details saved on this computer. Mediadesk sends them when it can reach the library.',
    saved: 'Podcast details saved.',
    tooLong: (most: number) => `Use ${formatCount(most)} characters or fewer.`,
    authorIsTitle: 'This is also the title of the podcast. Directories expect a person or an organization.',
    emailInvalid: 'Enter an e-mail address, such as radio@example.org.',
    emailPersonal: 'This looks like a personal address. Everyone can read it in the feed.',
    subtitleLines: 'Directories show one line. Remove the line breaks.',
    subtitleLong: (length: number) => `${formatCount(length)} characters. Directories cut subtitles after about 255.`,
    addressInvalid: 'Enter a complete address that starts with https://.',
    feedIsDirectory: 'This is the address in the directory. Enter the address of the feed.',
    feedMoves: 'Subscribers follow the old address. Redirect it to the new one, or they lose the podcast.',
    explicitUnknown: (value: string) =>
      `The library has “${value}”, which directories don’t know. Choose one of these.`,
    ready: {
      title: { label: 'Title', ready: 'The name of the collection', missing: 'Enter a name for the collection.' },
      description: {
        label: 'Description',
        none: 'Add a description to the collection.',
        long: (bytes: number) => `${formatCount(bytes)} bytes. Directories accept up to 4,000.`,
        fits: (bytes: number) => `${formatCount(bytes)} of 4,000 bytes`,
      },
      author: { label: 'Author', ready: 'Set', missing: 'Enter who makes the podcast.' },
      email: {
        label: 'Contact e-mail',
        ready: 'Set',
        missing: 'Enter an address, so that directories can verify you.',
      },
      category: { label: 'Category', ready: 'Known to directories', missing: 'Choose a category.' },
      explicit: {
        label: 'Explicit content',
        ready: 'Set',
        missing: 'Choose a value. Directories refuse podcasts without one.',
      },
      artwork: {
        label: 'Artwork',
        none: 'Add a square picture of 1,400 to 3,000 pixels as thumbnail of the collection.',
        unknown: 'This library doesn’t report the thumbnail. It should be square, 1,400 to 3,000 pixels.',
        unsized: 'The size isn’t reported. It should be square, 1,400 to 3,000 pixels.',
        wrong: (width: number, height: number) =>
          `${formatCount(width)} × ${formatCount(height)} pixels. Use a square picture of 1,400 to 3,000 pixels.`,
        fits: (width: number, height: number) => `${formatCount(width)} × ${formatCount(height)} pixels`,
      },
      episodes: {
        label: 'Episodes',
        none: 'Publish an audio or video item.',
        unknown: 'The library doesn’t report how many items are published.',
        some: (count: number) => plural(count, { one: '# published episode', other: '# published episodes' }),
      },
      language: {
        label: 'Language',
        text: 'Set it in the library’s settings: the library doesn’t let Mediadesk read or change it.',
      },
    },
  },
});
