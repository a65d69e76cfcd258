import { describe, expect, it } from 'vitest';
import { htmlToText, LINES, PARAGRAPHS, WORDS } from '../../../shared/api/html-text.ts';

describe('the conversion to lines', () => {
  it.each([
    ['<p>One</p><p>Two<br/>three</p>', 'One\nTwo\nthree'],
    ['one\ntwo  three', 'one\ntwo three'],
    ['<h2 class="x">One</h2 >two<BR>three</LI>four', 'One\ntwo\nthree\nfour'],
    ['<ul>\n<li>Apples<ul><li>Boskoop</li></ul></li></ul>', 'Apples\nBoskoop'],
    ['above<hr/>below<p>text</p>', 'above\nbelow\ntext'],
    ['<dl><dt>Term</dt><dd>Meaning</dd></dl>', 'Term\nMeaning'],
    ['<table><tr><th>A</th><td>one</td><td>two</td></tr><tr><td>three</td></tr></table>', 'A one two\nthree'],
    ['<p></p><p>One</p><p> </p><div><p>Two</p></div>', 'One\nTwo'],
  ])('of %j is %j', (html, text) => {
    expect(htmlToText(html, LINES)).toBe(text);
  });
});

describe('the conversion to paragraphs', () => {
  it.each([
    ['<p>One <b>two</b></p>\n<p>Three<br>four &amp; five&nbsp;&#8211; six</p>', 'One two\n\nThree\nfour & five – six'],
    ['one\ntwo  three', 'one two three'],
    ['<div><p>One</p></div><ul><li>two</li></ul>', 'One\n\ntwo'],
    ['<p>漢字　全角\u2028two</p>', '漢字　全角\u2028two'],
  ])('of %j is %j', (html, text) => {
    expect(htmlToText(html, PARAGRAPHS)).toBe(text);
  });
});

describe('the conversion to words', () => {
  it.each([
    ['<title>502</title><h1>Bad &amp; gone</h1><!-- x --><p>nginx</p>', '502 Bad & gone nginx'],
    ['<p>One</p><p>Two<br/>three</p>', 'One Two three'],
    ['a<b>b</b>c', 'a b c'],
  ])('of %j is %j', (html, text) => {
    expect(htmlToText(html, WORDS)).toBe(text);
  });
});

describe.each([
  ['lines', LINES],
  ['paragraphs', PARAGRAPHS],
  ['words', WORDS],
])('the conversion of HTML to %s', (_name, style) => {
  it.each([
    ['entities', 'a &lt;b&gt; &amp;amp; &#8364;&#x20ac; &hellip;', 'a <b> &amp; €€ …'],
    [
      'entities without a character',
      '&bogus; &#0; &#xd800; &#x110000; &#1114112;',
      '&bogus; &#0; &#xd800; &#x110000; &#1114112;',
    ],
    ['a script', 'x<script>alert(1)</script>', 'x'],
    ['a script that is never closed', 'a<script>never closed', 'a'],
    ['a style', '<style>p{}</style>', ''],
    ['a comment', 'x<!-- y -->', 'x'],
    ['a value with the end of a tag', `a <a title="b > c" rel = 'd > e'>f</a> <img alt="5 > 3" src="x">g`, 'a f g'],
    ['a quote that is no value', `a <b it's class=x"y>c`, 'a c'],
    ['a value that is never closed', 'a <a title="b>c', 'a c'],
    ['text of XHTML', 'x <![CDATA[a < b &amp; <i>]]> y', 'x a < b &amp; <i> y'],
    ['text of XHTML that is never closed', 'x <![CDATA[a < b', 'x a < b'],
    ['a comment that is never closed', 'a<!--d', 'a'],
    ['a less-than sign', '1 < 2', '1 < 2'],
    ['a tag that is never closed', 'a <a title="x', 'a <a title="x'],
    ['a closing tag that is never closed', '</p', '</p'],
    ['closing tags with spaces and capitals', 'a<SCRIPT src="x">b</ script ></Script >', 'a'],
    ['blanks', '  a \t b&nbsp;&nbsp;c ', 'a b c'],
  ])('handles %s', (_what, html, text) => {
    expect(htmlToText(html, style)).toBe(text);
  });

  // With quadratic time, each of these would block a program for a minute.
  it.each([
    '<',
    '<script',
    '<!--',
    '</',
    '<br ',
    '<p>',
    '<style>',
    '</script ',
    '&',
    ' \n',
    '<a href="',
    '<a href="\'>',
    '<a = ',
    '<![CDATA[',
    '<td>',
    '< ',
    '\n',
    '&#',
  ])('needs linear time for 200,000 characters of %j', (piece) => {
    expect(typeof htmlToText(piece.repeat(200_000 / piece.length), style)).toBe('string');
  });
});
