import { expect, test } from 'vitest';
import { isSlug, slugify } from '../../../service/resources/collections/slug.ts';
import { plainText } from '../../../service/wire/plain-text.ts';

test.each([
  ['Einführung in C++', 'einfuhrung-in-c'],
  ['  --  ', 'collection'],
  ['物理学', '物理学'],
  ['a'.repeat(150), 'a'.repeat(100)],
])('the slug of %j is %j', (name, slug) => {
  expect(slugify(name)).toBe(slug);
  expect(isSlug(slugify(name))).toBe(true);
});

test.each([
  ['<p>One</p><p>Two<br/>three</p>', 'One\nTwo\nthree'],
  ['a &lt;b&gt; &amp;amp; &#8364;&#x20ac;', 'a <b> &amp; €€'],
  ['<script>alert(1)</script>x<!-- y -->', 'x'],
  ['<style>p{}</style>', ''],
  ['1 < 2', '1 < 2'],
  ['a<SCRIPT src="x">b</ script ></Script >c<scripts>d', 'acd'],
  ['<h2 class="x">One</h2 >two<BR>three</LI>four', 'One\ntwo\nthree\nfour'],
  ['a<!-- <p>b</p> -->c<!--d', 'ac'],
  ['<a title="x', '<a title="x'],
  ['</p', '</p'],
  ['&#1114112;&#xd800;&nope;', '&nope;'],
])('the plain form of %j is %j', (html, plain) => {
  expect(plainText(html)).toBe(plain);
});

// If its time were quadratic, each of these would block the service for a minute.
test.each(['<', '<script', '<!--', '</', '<br ', '<p>', '<style>', '</script ', '&', ' \n', '<a href="', '< '])(
  'the plain form of 200,000 characters of %j is found in linear time',
  (piece) => {
    expect(typeof plainText(piece.repeat(200_000 / piece.length))).toBe('string');
  },
);
