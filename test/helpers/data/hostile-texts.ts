import { isLongRun } from '../test-extent.ts';

/** A text that someone could type, paste or import to do harm, and what kind of harm. */
export interface HostileText {
  kind: string;
  text: string;
}

const CODE = 'window.__hostile=(window.__hostile||0)+1';

const TAGS = [
  'img',
  'svg',
  'body',
  'iframe',
  'video',
  'audio',
  'input',
  'details',
  'marquee',
  'object',
  'embed',
  'math',
];
const EVENTS = [
  'onpointerenter',
  'onpageshow',
  'onwheel',
  'onsubmit',
  'oncut',
  'onerror',
  'onload',
  'onfocus',
  'onmouseover',
  'ontoggle',
  'onanimationstart',
  'onbegin',
  'onclick',
];
const SCHEMES = [
  'javascript:',
  'JaVaScRiPt:',
  'java\tscript:',
  'java\nscript:',
  ' javascript:',
  '&#106;avascript:',
  'vbscript:',
  'data:text/html,',
];

function* scripts(): Generator<HostileText> {
  const kind = 'script';
  for (const tag of TAGS) {
    for (const event of EVENTS) yield { kind, text: `<${tag} src=x ${event}=${CODE} autofocus>` };
  }
  for (const scheme of SCHEMES) {
    yield { kind, text: `<a href="${scheme}${CODE}">x</a>` };
    yield { kind, text: `<iframe src="${scheme}${CODE}">` };
    yield { kind, text: `<form action="${scheme}${CODE}"><button>x</button></form>` };
    yield { kind, text: `<object data='${scheme}${CODE}'></object>` };
    yield { kind, text: `[x](${scheme}${CODE})` };
    yield { kind, text: `${scheme}${CODE}` };
  }
  for (const quote of ['"', "'", '`', '&quot;', '\\"', '\\u0022', '"/>', "'/>"]) {
    yield { kind, text: `${quote}><script>${CODE}</script>` };
    yield { kind, text: `${quote} autofocus onfocus=${CODE} x=${quote}` };
    yield { kind, text: `${quote};${CODE};//` };
    yield { kind, text: `${quote}-(${CODE})-${quote}` };
  }
  for (const opening of [
    '<script>',
    '<SCRIPT>',
    '<script >',
    '<script/x>',
    '<scr<script>ipt>',
    '<<script>',
    '<script src=data:,',
    '%3Cscript%3E',
    '&lt;script&gt;',
    '&#60;script&#62;',
    '\\x3cscript\\x3e',
    '＜script＞',
  ]) {
    yield { kind, text: `${opening}${CODE}</script>` };
    yield { kind, text: `<p>${opening}${CODE}</script></p>` };
    yield { kind, text: `<!--${opening}${CODE}</script>-->` };
  }
  for (const wrapper of [
    'style',
    'title',
    'textarea',
    'noscript',
    'template',
    'xmp',
    'plaintext',
    'select',
    'math',
    'svg',
  ]) {
    yield { kind, text: `<${wrapper}><img src=x onerror=${CODE}></${wrapper}>` };
    yield { kind, text: `</${wrapper}><img src=x onerror=${CODE}>` };
    yield { kind, text: `<math><mtext><${wrapper}><mglyph><style><img src=x onerror=${CODE}>` };
  }
  for (const style of [
    'background:url(javascript:x)',
    '@import "x"',
    'expression(x)',
    '-moz-binding:url(x)',
    'position:fixed;inset:0',
  ]) {
    yield { kind, text: `<p style="${style}">x</p>` };
    yield { kind, text: `<style>*{${style}}</style>` };
  }
  for (const meta of ['refresh" content="0;url=javascript:x', 'Content-Security-Policy" content="default-src *']) {
    yield { kind, text: `<meta http-equiv="${meta}">` };
  }
  yield { kind, text: `<base href="javascript:/x/">` };
  yield { kind, text: `<link rel=stylesheet href=//evil.example/x.css>` };
}

function* templates(): Generator<HostileText> {
  for (const text of [
    '{{7*7}}',
    '$\u007b7*7}',
    '<%= 7*7 %>',
    '#{7*7}',
    '{{constructor.constructor("x")()}}',
    '{%print 1%}',
    '$\u007bjndi:ldap://x}',
    '%s%s%n',
    '{0}',
    '$&',
    '$1',
    "$'",
    '{count, plural, other {#}}',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'null',
    'undefined',
    'NaN',
    'true',
    '[object Object]',
    '-0',
    '1e999',
  ]) {
    yield { kind: 'template', text };
    yield { kind: 'template', text: `a ${text} b` };
  }
}

function* queries(): Generator<HostileText> {
  for (const text of [
    "'; DROP TABLE media; --",
    '" OR 1=1 --',
    "' UNION SELECT * FROM users --",
    "x'); DELETE FROM edits; --",
    '%',
    '_',
    '\\',
    "''",
    '""',
    'a* OR b',
    'title:x',
    '-x',
    '"unclosed',
    'NEAR(a b)',
    '../../etc/passwd',
    '..\\..\\x',
    'CON',
    '/dev/null',
    'file:///etc/passwd',
    '$(touch x)',
    '`touch x`',
    '| rm -rf x',
    '; true',
    '&& true',
    '--help',
    '-rf',
  ]) {
    yield { kind: 'query', text };
    yield { kind: 'query', text: `a ${text} b` };
  }
  for (const first of ['=', '+', '-', '@', '|', '%']) {
    yield { kind: 'formula', text: `${first}cmd|'/c calc'!A1` };
    yield { kind: 'formula', text: `${first}HYPERLINK("http://evil.example","x")` };
    yield { kind: 'formula', text: `${first}1+1` };
  }
}

function* unicode(): Generator<HostileText> {
  const kind = 'unicode';
  for (const text of [
    'שלום עולם',
    'مرحبا بالعالم',
    '\u202egnp.exe',
    '\u2066abc\u2069',
    '\u200f\u200e',
    'a\u0300'.repeat(40),
    'Z̸͖͝ä̵l̶g̷o̸',
    '👩‍👩‍👧‍👦',
    '🏳️‍🌈',
    '🇩🇪🇫🇷',
    '👍🏽',
    '㍿',
    'ﬁ',
    'İi̇ıI',
    'ǅ',
    '\u00a0',
    '\u200b',
    '\u200d',
    '\ufeff',
    '\u2028',
    '\u2029',
    '\ufffd',
    '\ufffe',
    '\u{10ffff}',
    '\u{e0001}',
    'e\u0301 é',
    'Å Å',
    'ß ẞ SS',
    '한국어 조선글',
    '漢字　全角',
    '\u3000',
    'ａｂｃ',
    '١٢٣',
    '½',
    'ﷺ',
  ]) {
    yield { kind, text: `a${text}b` };
    yield { kind, text: `${text} ${text}` };
  }
}

function* broken(): Generator<HostileText> {
  for (const text of ['\u0000', 'a\u0000b', '\ud800', '\udc00', 'a\ud83d', '\udfffb', '\ud800\ud800'])
    yield { kind: 'broken', text };
}

/** Texts that a library may refuse, but never change: 500 and more, each once. All are shorter than 400 characters. */
export const HOSTILE_TEXTS: readonly HostileText[] = [
  ...scripts(),
  ...templates(),
  ...queries(),
  ...unicode(),
  ...broken(),
];

/**
 * Whether every sample has a text: broken ones, plain script elements, and characters that change the direction or join
 * others.
 */
const isInEverySample = ({ kind, text }: HostileText) =>
  kind === 'broken' || text.startsWith('<script>') || /^a.*(?:\u202e|\u2066|\u200d|\u2028).*b$/.test(text);

/** Returns about `count` of the texts: of each kind some that are far apart in the list. */
function hostileSample(count: number): readonly HostileText[] {
  const always = HOSTILE_TEXTS.filter(isInEverySample);
  const kinds = [...new Set(HOSTILE_TEXTS.map(({ kind }) => kind))].filter((kind) => kind !== 'broken');
  const perKind = Math.ceil((count - always.length) / kinds.length);
  const spread = kinds.flatMap((kind) => {
    const all = HOSTILE_TEXTS.filter((each) => each.kind === kind && !isInEverySample(each));
    return all.filter(
      (_, index) => Math.floor((index * perKind) / all.length) !== Math.floor(((index - 1) * perKind) / all.length),
    );
  });
  return [...always, ...spread];
}

/** A text that is longer than most fields accept. */
export const LONG_TEXT = `<b onclick="${CODE}">é"&`.repeat(6000).slice(0, 200_000);

/** The texts that tests paste into each field. */
export const PASTED_TEXTS: readonly string[] = [...hostileSample(64).map(({ text }) => text), LONG_TEXT];

/** The texts that tests save from each field. Saving takes longer: fewer of each kind, and all of them in the long tests. */
export const SAVED_TEXTS: readonly string[] = isLongRun
  ? PASTED_TEXTS
  : [...hostileSample(24).map(({ text }) => text), LONG_TEXT];
