import { expect, test } from 'vitest';
import { plainText } from '../../../service/resources/plain-text.ts';
import { isSlug, slugify } from '../../../service/resources/slug.ts';

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
  ['&#1114112;&#xd800;&nope;', '&nope;'],
])('the plain form of %j is %j', (html, plain) => {
  expect(plainText(html)).toBe(plain);
});
