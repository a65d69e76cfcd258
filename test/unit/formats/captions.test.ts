// Captions as other programs write them. App and library service read them with the same functions.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CaptionsError, captionsAsVtt, readCaptions } from '../../../shared/formats/captions/read-captions.ts';
import { firstSrtText, srtToVtt } from '../../../shared/formats/captions/srt.ts';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../../fixtures/captions', name));
const bytes = (text: string) => new TextEncoder().encode(text);
const vttOf = (given: Uint8Array) => [...srtToVtt(readCaptions(given).text)].join('');
const TIMES = '00:00:01,000 --> 00:00:02,000';
const CUE = `1\n${TIMES}\n`;
const HELLO_WORLD = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello\n\n00:00:03.500 --> 00:00:04.250\nWorld\n';

function problemOf(given: Uint8Array): string {
  try {
    return readCaptions(given).format;
  } catch (error) {
    if (!(error instanceof CaptionsError)) throw error;
    return error.format === null ? error.problem : `${error.problem}: ${error.format}`;
  }
}

describe('the conversion of SRT to WebVTT', () => {
  it.each([
    ...['crcrlf.srt', 'double-spaced.srt', 'blank-after-timing.srt', 'no-blank.srt', 'nul-tail.srt'],
    ...['no-hours.srt', 'no-spaces-arrow.srt'],
  ])('keeps every cue of %s', (name) => expect(vttOf(fixture(name))).toBe(HELLO_WORLD));

  it.each([
    ['carriage returns alone', `1\r${TIMES}\rA\r\r2\r00:00:03,000 --> 00:00:04,000\rB\r`],
    [
      'three carriage returns at each line end',
      `1\r\r\r\n${TIMES}\r\r\r\nA\r\r\r\n\r\r\r\n2\r\r\r\n00:00:03,000 --> 00:00:04,000\r\r\r\nB`,
    ],
    ['no numbers', `${TIMES}\nA\n\n00:00:03,000 --> 00:00:04,000\nB`],
    ['no numbers and no blank lines', `${TIMES}\nA\n00:00:03,000 --> 00:00:04,000\nB`],
    ['tripled lines', `1\n\n\n${TIMES}\n\n\nA\n\n\n\n\n\n2\n\n\n00:00:03,000 --> 00:00:04,000\n\n\nB`],
    ['times without fractions', '1\n00:00:01 --> 00:00:02\nA\n\n2\n0:0:3 --> 0:0:4\nB'],
    ['coordinates behind the times', `1\n${TIMES} X1:10 X2:20\nA\n\n2\n00:00:03,000-->00:00:04,000 align:left\nB`],
  ])('keeps every cue of a file with %s', (_, text) => {
    expect(vttOf(bytes(text))).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nA\n\n00:00:03.000 --> 00:00:04.000\nB\n');
  });

  it.each([
    ['Hello & <i>you</i> &amp; <font color="red">all</font>', 'Hello &amp; <i>you</i> &amp; all'],
    ['1 < 2 and <B>3</B> > 2', '1 &lt; 2 and <b>3</b> > 2'],
    ['a --> b', 'a → b'],
    ['<<i>', '&lt;<i>'],
    ['{\\i1}A{\\i0} {B}', 'A {B}'],
  ])('writes the line %j as %j', (line, shown) => {
    expect(vttOf(bytes(`${CUE}${line}\n`))).toBe(`WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${shown}\n`);
  });

  it('keeps all lines of a cue that has a blank line, and leaves out cues without a text', () => {
    const text = `${CUE}One\n\nTwo\n\n2\n00:00:03,000 --> 00:00:04,000\n<b></b>\n\n3\n00:00:05,000 --> 00:00:06,000\nEnd\n`;
    expect(vttOf(bytes(text))).toBe(
      'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nOne\nTwo\n\n00:00:05.000 --> 00:00:06.000\nEnd\n',
    );
  });

  it('keeps a number that is a text', () => {
    const text = `${CUE}1999\n\n2\n00:00:03,000 --> 00:00:04,000\n3\n2\n1\n`;
    expect(vttOf(bytes(text))).toContain('\n1999\n\n00:00:03.000 --> 00:00:04.000\n3\n2\n1\n');
  });

  it('shows a cue at the top when a mark of SubStation Alpha says so', () => {
    expect(vttOf(fixture('an8.srt'))).toBe(HELLO_WORLD.replace('02.000\n', '02.000 line:0\n'));
  });
});

describe('captions', () => {
  it.each([
    ['scc-as-srt.srt', 'unknown: Scenarist SCC'],
    ['vtt-cp1252.vtt', 'vtt-encoding'],
    ['vtt-commas.vtt', 'vtt-times'],
    ['vtt-blank-first.vtt', 'vtt-first-line'],
    ['ttml-prefix-dash.dfxp', 'dfxp'],
  ])('of the file %s: %s', (name, expected) => expect(problemOf(fixture(name))).toBe(expected));

  it.each([
    ['WEBVTT', 'empty'],
    ['\ufeffWEBVTT - title\n\n00:01.000 --> 00:02.000\nA', 'vtt'],
    ['WEBVTT\nKind: captions\n\nNOTE a\n\nid\n01:00:01.000 --> 01:00:02.000 line:0\nA\n', 'vtt'],
    ['WEBVTT\n\n00:01.000 --> 00:02.000\n\n2\n00:03.000 --> 00:04.000\nA', 'vtt'],
    ['WEBVTT\n\n00:01.000 --> 00:02.000\n\n\n', 'empty'],
    ['WEBVTT\r\r\n\r\r\n00:01.000 --> 00:02.000\r\r\nA\r\r\n', 'vtt-lines'],
    ['WEBVTT\n\n00:01.000 --> 00:02.000\nA\n\n00:03,000 --> 00:04,000\nB', 'vtt-times'],
    ['WEBVTT\n\n0:00:01.000 --> 0:00:02.000\nA', 'vtt-times'],
    ['WEBVTT\n\n00:05.000 --> 00:02.000\nA', 'vtt-times'],
    ['WEBVTT\n\n100:00:00.000 --> 99:59:59.999\nA', 'vtt-times'],
    ['WEBVTTX', 'unknown'],
    [CUE, 'empty'],
    [`${CUE}<i></i>\n`, 'empty'],
    [`${CUE}A`, 'srt'],
    ['text --> text', 'unknown'],
    ['99:99:99,000 --> 99:99:99,000\nA', 'unknown'],
    ['', 'unknown'],
    ['<tt xmlns="x"><body><p>A</p></body></tt>', 'dfxp'],
    ['<tt xmlns="x"><body><div smpte:backgroundImage="#a"/></body></tt>', 'dfxp'],
    ['<tt xmlns="x"><head><p/></head><body><p><br/></p></body></tt>', 'empty'],
    ['<?xml version="1.0"?>\n<!-- a --> <!-- b -->\n<ttml:tt><ttml:p><span>A</span></ttml:p>', 'dfxp'],
    ['<!DOCTYPE tt PUBLIC "-//W3C//DTD DFXP//EN" "http://dtd.example/tt.dtd">\n<tt><p>A</p></tt>', 'dfxp'],
    ['<!DOCTYPE tt [<!ENTITY a "aaaa">]><tt><p>A</p></tt>', 'unknown'],
    ['<?never closed', 'unknown'],
    ['<!-- never closed <tt>', 'unknown'],
    ['<ttx><p>A</p>', 'unknown'],
    ['[Script Info]\nTitle: A', 'unknown: SubStation Alpha'],
    ['{1}{25}Hello', 'unknown: MicroDVD'],
    ['<SAMI><BODY>', 'unknown: SAMI'],
    ['[00:12.00]Hello', 'unknown: LRC'],
    ['0:00:01.000,0:00:02.000\nHello', 'unknown: YouTube SBV'],
    ['850STL25.01', 'unknown: EBU STL'],
    ['hello', 'unknown'],
  ])('with the text %j: %s', (text, expected) => expect(problemOf(bytes(text))).toBe(expected));

  it('in WebVTT that players show only in part is repaired for the player of the app', () => {
    expect(captionsAsVtt(fixture('vtt-commas.vtt'))).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello\n');
    expect(captionsAsVtt(fixture('vtt-blank-first.vtt'))).toContain('Hello');
    expect(captionsAsVtt(fixture('vtt-cp1252.vtt'))).toContain('Größe');
    const good = 'WEBVTT\n\nSTYLE\n::cue {}\n\n00:01.000 --> 00:02.000\nA\n';
    expect(captionsAsVtt(bytes(`\ufeff${good}`))).toBe(good);
    expect(captionsAsVtt(fixture('ttml-prefix-dash.dfxp'))).toBeNull();
  });
});

/** Texts in old encodings, as `iconv` of glibc writes them. */
const SPOKEN: readonly (readonly [encoding: string, text: string, base64: string])[] = [
  [
    'windows-1251',
    'Сегодня хорошая погода, и мы идём в парк.',
    '0eXj7uTt/yD17vDu+OD/IO/u4+7k4Cwg6CDs+yDo5LjsIOIg7+Dw6i4=',
  ],
  ['koi8-r', 'Сегодня хорошая погода, и мы идём в парк.', '88XHz8TO0SDIz9LP28HRINDPx8/EwSwgySDN2SDJxKPNINcg0MHSyy4='],
  ['gb18030', '今天天气很好，我们去公园吧', 'vfHM7Mzsxvi63LrDo6zO0sPHyKW5q9SwsMk='],
  ['big5', '今天天氣很好，我們去公園吧', 'pLWk0aTRrvCr3KZuoUGn2q3MpWikvbbpp2E='],
  [
    'euc-kr',
    '안녕하세요. 오늘 날씨가 좋습니다. 우리는 공원에 갑니다.',
    'vsiz58fPvLy/5C4gv8C0wyCzr76+sKEgwcG9wLTPtNkuIL/suK60wiCw+L/4v6EgsKm0z7TZLg==',
  ],
  [
    'shift_jis',
    'こんにちは。今日はいい天気ですね。公園へ行きましょう。',
    'grGC8YLJgr+CzYFCjaGT+oLNgqKCopNWi0OCxYK3gsuBQoz2iYCC1o1zgquC3IK1guWCpIFC',
  ],
  [
    'windows-1250',
    'Dziś jest piękna pogoda, więc „idziemy” do parku, żeby odpocząć.',
    'RHppnCBqZXN0IHBp6mtuYSBwb2dvZGEsIHdp6mMghGlkemllbXmUIGRvIHBhcmt1LCC/ZWJ5IG9kcG9jernmLg==',
  ],
  [
    'windows-1252',
    'Er sagte: „Schöne Grüße“, als ob er über Öl spräche.',
    'RXIgc2FndGU6IIRTY2j2bmUgR3L832WTLCBhbHMgb2IgZXIg/GJlciDWbCBzcHLkY2hlLg==',
  ],
  ['windows-1256', 'مرحبا، كيف حالك؟ الطقس جميل اليوم.', '49HNyMehIN/t3SDNx+HfvyDH4dje0yDM4+3hIMfh7ebjLg=='],
  [
    'iso-8859-7',
    'Γεια σου, τι κάνεις; Σήμερα ο καιρός είναι καλός.',
    'w+Xp4SDz7/UsIPTpIOrc7eXp8jsg097s5fHhIO8g6uHp8fzyIOXf7eHpIOrh6/zyLg==',
  ],
];

describe('the encoding of captions', () => {
  it.each([
    ['UTF-8', bytes(`${CUE}Grüße`), 'utf-8'],
    ['UTF-8 with a byte order mark', bytes(`\ufeff${CUE}Grüße`), 'utf-8'],
    ['UTF-16 (little endian)', Buffer.from(`\ufeff${CUE}Grüße`, 'utf16le'), 'utf-16le'],
    ['UTF-16 (big endian)', Buffer.from(`\ufeff${CUE}Grüße`, 'utf16le').swap16(), 'utf-16be'],
    ['UTF-16 without a mark', Buffer.from(`${CUE}Grüße`, 'utf16le'), 'utf-16le'],
  ])('is detected: %s', (_, given, encoding) => {
    const read = readCaptions(given);
    expect(read).toMatchObject({ encoding, isGuessed: false });
    expect(firstSrtText(read.text)).toBe('Grüße');
  });

  it.each(SPOKEN)('is guessed from the letters, and named as a guess: %s', (encoding, text, base64) => {
    const read = readCaptions(Buffer.concat([bytes(CUE), Buffer.from(base64, 'base64')]));
    expect(read).toMatchObject({ encoding, isGuessed: true });
    expect(firstSrtText(read.text)).toBe(text);
  });

  it('is guessed for a short text in Russian, and Windows-1252 without any clue', () => {
    expect(readCaptions(fixture('cp1251.srt'))).toMatchObject({ encoding: 'windows-1251', isGuessed: true });
    expect(firstSrtText(readCaptions(fixture('cp1251.srt')).text)).toBe('Привет');
    const quotes = readCaptions(Buffer.concat([bytes(CUE), Uint8Array.of(0x93, 0x80, 0xfc, 0x94)]));
    expect(quotes).toMatchObject({ encoding: 'windows-1252', isGuessed: true });
    expect(firstSrtText(quotes.text)).toBe('“€ü”');
  });

  it('is the chosen one, whatever the bytes seem to be', () => {
    const read = readCaptions(fixture('cp1251.srt'), 'koi8-r');
    expect(read).toMatchObject({ encoding: 'koi8-r', isGuessed: false });
    expect(firstSrtText(read.text)).toBe('оПХБЕР');
  });
});
