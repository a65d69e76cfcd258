// A folder of more than 300 files, as stations have them. Each file has the recording that it belongs to, `flag` (the user has to
// decide), or `own` (it is a separate item).

export interface MixedFile {
  name: string;
  belongsTo: string | 'flag' | 'own';
}

const nfd = (text: string) => text.normalize('NFD');

/** Lectures with the usual companions. */
function lectures(): MixedFile[] {
  return Array.from({ length: 24 }, (_, index) => {
    const stem = `2026-11-${String(index + 1).padStart(2, '0')} Optics ${index + 1}`;
    const recording = `${stem}.mp4`;
    return [
      { name: recording, belongsTo: 'own' },
      ...[`${stem}.en.vtt`, `${stem}.de-AT.srt`, `${stem}.jpg`, `${stem}.json`].map((name) => ({
        name,
        belongsTo: recording,
      })),
      { name: `${stem} slides.pdf`, belongsTo: 'own' },
    ];
  }).flat();
}

/** Names with dots, numbers that are beginnings of others, and labels. */
function episodes(): MixedFile[] {
  return Array.from({ length: 20 }, (_, index) => {
    const stem = `show.s01.e${index + 1}`;
    const recording = `${stem}.mkv`;
    return [
      { name: recording, belongsTo: 'own' },
      ...[`${stem}.srt`, `${stem}.sdh.en.srt`, `${stem}.Deutsch.de.vtt`, `${stem}.pt_BR.dfxp`].map((name) => ({
        name,
        belongsTo: recording,
      })),
    ];
  }).flat();
}

/** Names whose accents are decomposed in the name of the recording, and decomposed or composed in those of its companions. */
function accents(): MixedFile[] {
  return ['Prüfung', 'Café', 'Übung Größe', 'Señal', 'Žluťoučký kůň', '日本語がぎ'].flatMap((stem) => {
    const recording = `${nfd(stem)}.MP4`;
    return [
      { name: recording, belongsTo: 'own' },
      { name: `${stem}.en.vtt`, belongsTo: recording },
      { name: `${nfd(stem)}.de.VTT`, belongsTo: recording },
      { name: `${stem}.PNG`, belongsTo: recording },
      { name: `${stem}.txt`, belongsTo: recording },
    ];
  });
}

const SINGLE: readonly (readonly [string, string])[] = [
  // Two recordings of one name.
  ['panel.mp4', 'own'],
  ['panel.wav', 'own'],
  ['panel.en.vtt', 'flag'],
  ['panel.jpg', 'flag'],
  ['panel.xml', 'flag'],
  ['panel.mp4.de.vtt', 'panel.mp4'],
  ['panel.wav.fr.vtt', 'panel.wav'],
  // Letter case and blanks.
  ['Keynote Address.mp4', 'own'],
  ['keynote address.en.vtt', 'flag'],
  ['Keynote_Address.srt', 'flag'],
  ['KEYNOTE ADDRESS.jpg', 'flag'],
  // Names that only begin like the name of a recording.
  ['Interview.mp4', 'own'],
  ['Interview final.srt', 'flag'],
  ['Interview.Part 2.en.vtt', 'flag'],
  ['Interview.cut.vtt', 'flag'],
  ['Interview-poster.jpg', 'flag'],
  ['Interviewer notes.txt', 'own'],
  ['Interview with Ada.mp4', 'own'],
  ['Interview with Ada.vtt', 'Interview with Ada.mp4'],
  ['Ada.srt', 'own'],
  // A recording whose name ends like a language.
  ['News.en.mp4', 'own'],
  ['News.mp4', 'own'],
  ['News.en.srt', 'News.en.mp4'],
  ['News.de.srt', 'News.mp4'],
  ['News.en.de.vtt', 'News.en.mp4'],
  // Labels after the language, and languages by their names.
  ['Film.mp4', 'own'],
  ...['en.sdh', 'en.forced', 'en.cc', 'en.hi', 'pt-BR.sdh', 'en.sdh.forced', 'English', 'English (SDH)', 'english.sdh']
    .concat('Français', 'Deutsch (einfach)', 'Brazilian Portuguese')
    .map((end) => [`Film.${end}.srt`, 'Film.mp4'] as const),
  ['Film.Part 2.English.srt', 'flag'],
  ['Film.en.de.srt', 'flag'],
  ['Movie.mp4', 'own'],
  ['Movie.English.mp3', 'own'],
  ['Movie.English.srt', 'Movie.English.mp3'],
  ['Movie.English.en.vtt', 'Movie.English.mp3'],
  ['Movie.Deutsch.srt', 'Movie.mp4'],
  // A second thumbnail, and pictures that are separate items.
  ['Tour.mov', 'own'],
  ['Tour.jpg', 'Tour.mov'],
  ['Tour.png', 'own'],
  ['Tour (1).jpg', 'own'],
  ['Tour group.jpg', 'own'],
  ['IMG_0001.JPG', 'own'],
  // Both forms of an accent side by side.
  [nfd('Müller.mp4'), 'own'],
  ['Müller.mp4', 'own'],
  [nfd('Müller.en.vtt'), nfd('Müller.mp4')],
  ['Müller.en.vtt', 'Müller.mp4'],
  [nfd('Müller.png'), nfd('Müller.mp4')],
  // Files that belong to no recording.
  ['readme.txt', 'own'],
  ['manifest.csv', 'own'],
  ['package.json', 'own'],
  ['orphan.en.vtt', 'own'],
  ['no extension', 'own'],
  ['.hidden.srt', 'own'],
  ['archive.zip', 'own'],
  ['report.pdf', 'own'],
  ['report.jpg', 'own'],
  ['report.srt', 'own'],
];

/** All files of the folder. */
export const MIXED_FOLDER: readonly MixedFile[] = [
  ...lectures(),
  ...episodes(),
  ...accents(),
  ...SINGLE.map(([name, belongsTo]) => ({ name, belongsTo })),
];
