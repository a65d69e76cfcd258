import { Busboy } from '@fastify/busboy';
import { describe, expect, test } from 'vitest';
import { printable } from '../../../electron/cli/output/text-format.ts';
import { parseSiteAddress } from '../../../electron/engine/account/site-address.ts';
import { classify } from '../../../electron/engine/api/classify.ts';
import { idBehind, loggedAddressOf, resolveLink } from '../../../electron/engine/api/links.ts';
import { plainWords } from '../../../electron/engine/api/plain-words.ts';
import { serviceInstant } from '../../../electron/engine/library/items/media-row.ts';
import { readXmp } from '../../../electron/engine/media-tags/read-xmp.ts';
import { readMountTable } from '../../../electron/engine/ports/system/node-mounts.ts';
import { destinationRefusalOf } from '../../../electron/engine/uploads/delivery/sender/answers.ts';
import { destinationVerdictOf } from '../../../electron/engine/uploads/delivery/sender/destination-verdict.ts';
import { escapeName } from '../../../electron/engine/uploads/delivery/sender/form-parts.ts';
import { completeAddress } from '../../../renderer/features/sign-in/address.ts';
import { labelOf } from '../../../renderer/kit/text/errors.ts';
import { matches } from '../../../renderer/shell/dialogs/matches.ts';
import { parseRange } from '../../../service/cdn/byte-range.ts';
import { readProviderIdentity } from '../../../service/oidc/identity.ts';
import { isSlug, slugify } from '../../../service/resources/collections/slug.ts';
import { extensionOf } from '../../../service/resources/files/file-types.ts';
import { searchQuery } from '../../../service/resources/media/media-filter.ts';
import { redactPath } from '../../../service/site/journal.ts';
import { escapeHtml } from '../../../service/wire/escape-html.ts';
import { parseInstant } from '../../../service/wire/query.ts';
import { fieldProblems } from '../../../shared/api/field-problems.ts';
import { decodeEntities } from '../../../shared/api/html-entities.ts';
import { htmlToText, LINES, PARAGRAPHS } from '../../../shared/api/html-text.ts';
import { jsonMembersAt } from '../../../shared/api/json-members.ts';
import { captionsAsVtt, readCaptions } from '../../../shared/formats/captions/read-captions.ts';
import { firstSrtText, srtToVtt } from '../../../shared/formats/captions/srt.ts';
import { guessEncoding } from '../../../shared/formats/text/guess-encoding.ts';
import { readCaptionName } from '../../../shared/model/caption-name.ts';
import { hasFormatting, plainToHtml } from '../../../shared/model/description.ts';
import { downloadName } from '../../../shared/model/download-name.ts';
import { textTokens } from '../../../shared/model/edits/text-tokens.ts';
import { ignoredPart } from '../../../shared/model/ignored-names.ts';
import { parseQuery } from '../../../shared/model/library-query/parse-query.ts';
import { readCollection, readId, readTags } from '../../../shared/model/manifest/cells.ts';
import { readDate } from '../../../shared/model/manifest/dates.ts';
import { suggestMapping } from '../../../shared/model/manifest/fields.ts';
import { readFileCell } from '../../../shared/model/manifest/file-rows.ts';
import { stemsOfCaptions } from '../../../shared/model/pairing/caption-stems.ts';
import { pairFiles } from '../../../shared/model/pairing/pair-files.ts';
import { keysOfRecordings, pairKeyOf } from '../../../shared/model/pairing/pair-keys.ts';
import { patternOf, readName } from '../../../shared/model/recipes/name-pattern.ts';
import { readHtml } from '../../../shared/model/rich-text/parse-html.ts';
import { DelimitedReader } from '../../../shared/model/table/delimited-reader.ts';
import { detectSeparator } from '../../../shared/model/table/detect-separator.ts';
import { parseTsv } from '../../../shared/model/table/parse-tsv.ts';
import { composeTitle, splitFileName } from '../../../shared/model/title-template.ts';
import { compileGlob, matchesGlob } from '../../../shared/model/watch/glob.ts';
import { cleanedName } from '../../../shared/model/watch/watch-title.ts';
import { Prng } from '../../helpers/data/prng.ts';
import { cpuMs, steepGrowth } from '../../helpers/time/growth.ts';

const url = new URL('https://library.example/api2/media');
const failed = { kind: 'status', method: 'POST', url, ownSite: true, status: 502, contentType: '' } as const;

const FILE = { fileName: 'lecture.mp4', folderName: 'term', number: 1, date: '2026-01-02', contents: null };

/** Parses a form of one part with the npm package that the service uses. */
function parseForm(contentType: string, disposition: string): void {
  const parser = new Busboy({ headers: { 'content-type': contentType } });
  parser.on('error', () => {}).on('file', (_name, bytes) => void bytes.resume());
  parser.write(`--x\r\ncontent-disposition: ${disposition}\r\n\r\nbytes\r\n--x--\r\n`);
}

function captionsProblem(text: string): unknown {
  try {
    return readCaptions(Buffer.from(text));
  } catch (error) {
    return error;
  }
}

const GLOB = compileGlob('{**/*a*b*c,*.*.{mp4,mov}}');
const PATTERN = patternOf('{date:YYYY-MM-DD}_{course} - {title}_{n}');

/** The functions that process texts of libraries, files and other users. */
const FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  cleanedName,
  ignoredPart,
  'matchesGlob of a path': (text) => typeof GLOB === 'object' && matchesGlob(GLOB, text),
  'readCaptions of any text': (text) => captionsProblem(text),
  'readCaptions of SRT': (text) => captionsProblem(`1\n00:00:01,000 --> 00:00:02,000\n${text}`),
  'readCaptions of WebVTT': (text) => captionsProblem(`WEBVTT\n\n00:01.000 --> 00:02.000\n${text}`),
  'readCaptions of TTML': (text) => captionsProblem(`<tt><p ${text}`),
  guessEncoding: (text) => guessEncoding(Buffer.from(text, 'latin1')),
  firstSrtText: (text) => firstSrtText(`1\n00:00:01,000 --> 00:00:02,000\n${text}`),
  srtToVtt: (text) => [...srtToVtt(text)],
  'srtToVtt within a cue': (text) => [...srtToVtt(`1\n00:00:01,000 --> 00:00:02,000\n${text}`)],
  'htmlToText as lines': (text) => htmlToText(text, LINES),
  'escapeHtml of the service': escapeHtml,
  slugify,
  isSlug,
  extensionOf,
  searchQuery,
  parseInstant,
  redactPath,
  'the subject of a provider': (text) => readProviderIdentity({ name: 'campus' }, { sub: text }),
  'the claims of a provider': (text) =>
    readProviderIdentity(
      { name: 'campus', groups_claim: 'groups' },
      { sub: 's', email: text, name: text, groups: [text] },
    ),
  parseRange: (text) => parseRange(`bytes=${text}`, 100),
  'the content type of a form': (text) => parseForm(`multipart/form-data; boundary=x; ${text}`, ''),
  'the header of a form part': (text) => parseForm('multipart/form-data; boundary=x', `form-data; name="${text}`),
  'an extended file name': (text) =>
    parseForm('multipart/form-data; boundary=x', `form-data; name=a; filename*=utf-8''${text}`),
  plainWords,
  classify: (text) => classify({ ...failed, body: text, retryAfter: text }),
  'classify with JSON': (text) => classify({ ...failed, body: JSON.stringify({ message: text }), retryAfter: null }),
  refusalOf: (text) => destinationRefusalOf({ status: 403, headers: {}, text }, { sentBytes: 0, allSent: false }),
  'verdictOf an XML message': (text) => destinationVerdictOf(403, `<Error><Code>AccessDenied</Code><Message>${text}`),
  jsonMembersAt: (text) => jsonMembersAt(JSON.stringify({ [text]: [text, { a: text }] }), [text]),
  resolveLink: (text) => resolveLink('https://library.example/a/', text, url),
  'resolveLink below a long base': (text) => resolveLink(`https://library.example/${text}`, '/api2', url),
  'nameOf and idBehind': (text) => {
    const long = new URL(`https://library.example/${encodeURI(text)}`);
    return [loggedAddressOf(long, true), idBehind(long, 'media')];
  },
  parseSiteAddress,
  serviceInstant,
  readMountTable,
  escapeName,
  fieldProblems: (text) => fieldProblems({ title: [text], other: text }),
  'fieldProblems of a sentence': (text) => fieldProblems(text),
  'htmlToText as paragraphs': (text) => htmlToText(text, PARAGRAPHS),
  plainToHtml,
  hasFormatting,
  completeAddress,
  labelOf,
  matches: (text) => matches(text, text.slice(-9)),
  printable,
  stemsOfCaptions,
  'pairKeyOf and keysOfRecordings': (text) => [pairKeyOf(`${text}.mp4`), keysOfRecordings(`${text}.en.srt`)],
  pairFiles: (text) => pairFiles([`${text}.mp4`, `${text}.en.srt`, `${text} 2.vtt`, `${text.slice(1)}.jpg`]),
  readFileCell,
  readXmp,
  'readXmp inside a packet': (text) => readXmp(`<x:a><rdf:RDF><rdf:Description dc:rights='${text}'><dc:title>${text}`),
  'readHtml, with parseHtml, serializeHtml and canonicalHtml': readHtml,
  decodeEntities,
  'textTokens of HTML': (text) => textTokens(text, true),
  parseQuery,
  parseTsv,
  'DelimitedReader and detectSeparator': (text) => {
    const reader = new DelimitedReader(',', () => {});
    reader.push(text);
    return [detectSeparator(text, () => false, null), reader.end()];
  },
  patternOf,
  'readName by a pattern': (text) => 'parts' in PATTERN && readName(PATTERN.parts, text),
  'readDate of a cell': (text) => readDate(text, 'Europe/Vienna'),
  'readId, readTags and readCollection': (text) => [readId(text), readTags(text), readCollection(text)],
  suggestMapping: (text) => suggestMapping([text]),
  captionsAsVtt: (text) => captionsAsVtt(Buffer.from(text)),
  readCaptionName,
  downloadName: (text) => downloadName(text, null),
  'splitFileName and composeTitle': (text) => [
    splitFileName(text),
    composeTitle(text, FILE),
    composeTitle('{name}', { ...FILE, fileName: text }),
  ],
};

const PIECES = [
  ...[
    '<',
    '</',
    '<!--',
    '-->',
    '<!',
    '<a ',
    '<b>',
    '<br ',
    '<p>',
    '</p ',
    '<script',
    '<script>',
    '</script',
    '<style>',
  ],
  ...[
    '<title',
    '<title>',
    '<head>',
    '<tt',
    '<x:tt',
    '<?xml',
    '?>',
    '>',
    '&',
    '&#',
    '&amp',
    ';',
    '"',
    "'",
    '\\',
    '/',
    '//',
  ],
  ...[
    '/api2',
    '.',
    '..',
    ':',
    '-',
    '_',
    '=',
    '%',
    '%2',
    '@',
    '{',
    '{n',
    '}',
    '0',
    '00:00:01,000 -->',
    'a',
    'A',
    'é',
    '😀',
  ],
  ...[
    ' ',
    '\t',
    '\n',
    '\r',
    '\r\n',
    '\u00a0',
    '\ufeff',
    '\0',
    '<!---->\t',
    '<!--l><tt\t-->',
    '<STYLE<',
    '\\040',
    'utf-8',
  ],
];
const ENDS = ['', '\0', 'x', '\n', '>', '<'];

/** Every fragment alone, and some combinations from a fixed seed. */
function shapes(): { first: string; piece: string; last: string }[] {
  const random = new Prng(2026);
  const any = (of: readonly string[]) => random.pick(of);
  const single = PIECES.map((piece, index) => ({ first: '', piece, last: ENDS[index % ENDS.length] ?? '' }));
  const mixed = Array.from({ length: 60 }, () => ({
    first: any([...PIECES, '']),
    piece: Array.from({ length: random.int(2, 4) }, () => any(PIECES)).join(''),
    last: any(ENDS),
  }));
  return [...single, ...mixed];
}

describe('the code that parses text from outside', { timeout: 300_000 }, () => {
  test.each(Object.entries(FUNCTIONS))(
    'needs no more time for a character of a long text than of a short one: %s',
    (_name, work) => {
      const steep: string[] = [];
      for (const { first, piece, last } of shapes()) {
        const textOf = (chars: number) => first + piece.repeat(Math.ceil(chars / piece.length)) + last;
        const growth = steepGrowth(work, textOf);
        if (growth !== null)
          steep.push(`${JSON.stringify([first, piece, last])}: ${growth.toFixed(0)} times as long for each character`);
      }
      expect(steep).toEqual([]);
    },
  );

  // The work for each part of a joined text copies the text before it, which is slow only for millions of characters.
  test('needs linear time for a very long description that is divided by comments', () => {
    const textOf = (parts: number) => 'a<!---->'.repeat(parts);
    expect(readHtml(textOf(3)).doc.content).toMatchObject([{ content: [{ type: 'text', text: 'aaa' }] }]);
    const shortestMs = (text: string) => Math.min(...[1, 2, 3].map(() => cpuMs(() => readHtml(text))));
    // Quadratic work takes 64 times as long, and copies of memory that no longer fit into the caches even longer.
    expect(shortestMs(textOf(400_000)) / shortestMs(textOf(50_000))).toBeLessThan(50);
  });

  test.each([
    ['quadratic work', (text: string) => /<[^>]*>/.test(text), '<'],
    ['quadratic work of a search from each place', (text: string) => text.replace(/\/+$/, ''), '/'],
  ])('is reported by this measurement when it is too slow: %s', (_what, work, piece) => {
    expect(steepGrowth(work, (chars) => `${piece.repeat(chars)}x`)).toBeGreaterThan(4);
  });
});
