import { describe, expect, it } from 'vitest';
import german from '../../../service/languages/de.json' with { type: 'json' };
import english from '../../../service/languages/en.json' with { type: 'json' };
import { chooseLanguage, createLanguages } from '../../../service/languages/languages.ts';
import { createTexts, strong } from '../../../service/languages/texts.ts';
import { checkTranslation } from '../../../service/languages/translation-problems.ts';

describe('the language of a browser', () => {
  it.each([
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['DE-ch', 'de'],
    ['fr, en;q=0.5, de;q=0.7', 'de'],
    ['en;q=0.2, de;q=0.1', 'en'],
    ['de;q=0, en', 'en'],
    ['pt', 'pt-br'],
    ['pt-PT, en;q=0.9', 'en'],
    ['zh-Hant-TW', 'zh-hant'],
    ['fr', undefined],
    ['*', undefined],
    ['fr, *;q=0.5, de;q=0.1', undefined],
    ['', undefined],
    [';q=1,,-,=', undefined],
    [`${'x'.repeat(1000)},de`, undefined],
    [undefined, undefined],
  ])('for %j it is %j', (header, language) => {
    expect(chooseLanguage(header, ['en', 'de', 'pt-br', 'zh-hant'])).toBe(language);
  });

  it('is that of the site when the browser asks for none of the languages, and English when the site has none of them', () => {
    const languages = createLanguages();
    expect(languages.chosen('fr', 'de').language).toBe('de');
    expect(languages.chosen('fr', 'gone').language).toBe('en');
    expect(languages.chosen('en-GB', 'de').language).toBe('en');
  });
});

describe('texts', () => {
  it('are escaped with their values, which are never read for places again', () => {
    const texts = createTexts('en', { ...english, 'sign-in.to': '<i>{app}</i> & {app} {other}' });
    expect(texts.html('sign-in.to', { app: '{app}<b>' })).toBe(
      '&#60;i&#62;{app}&#60;b&#62;&#60;/i&#62; &#38; {app}&#60;b&#62; {other}',
    );
    expect(texts.html('sign-in.to', { app: strong('<') })).toContain('<b>&#60;</b>');
    expect(texts.text('sign-in.to', { app: '$&<' })).toBe('<i>$&<</i> & $&< {other}');
  });

  it('have the forms by number and the numbers of their language', () => {
    const forms = { one: '{count} a', few: '{count} b', many: '{count} c', other: '{count} d' };
    const polish = createTexts('pl', { ...english, 'sign-in.wait-seconds': forms });
    const wait = (count: number) => polish.text('sign-in.wait-seconds', { count });
    expect([1, 2, 5, 22].map(wait)).toEqual(['1 a', '2 b', '5 c', '22 b']);
    expect(createTexts('de', german).text('people.found', { shown: 20, total: 12_345 })).toContain('12.345');
  });

  it('name the direction of their script', () => {
    const directions = ['en', 'de', 'ar', 'he', 'fa-IR', 'az-Arab'].map((tag) => createTexts(tag, english).direction);
    expect(directions).toEqual(['ltr', 'ltr', 'rtl', 'rtl', 'rtl', 'rtl']);
  });
});

describe('a translation', () => {
  it('is accepted in German, in which no sentence stayed English', () => {
    expect(checkTranslation('de', german)).toMatchObject({ kind: 'ok' });
    const same = Object.entries(german).filter(([key, text]) => english[key as keyof typeof english] === text);
    expect(same.map(([key]) => key).toSorted()).toEqual(['account.apps', 'account.browser', 'view.in']);
  });

  it('is refused with all that is wrong with it at once', () => {
    const { 'view.in': _in, 'view.feed': _feed, ...rest } = english;
    const wrong = {
      ...rest,
      'view.out': 'x',
      'view.newer': '',
      'view.older': 7,
      'link.for': 'for',
      site: 'Library {name}',
      'mail.valid': { one: 'one hour', few: '{count} hours' },
      'people.title': 'two\nlines',
    };
    const checked = checkTranslation('en', wrong);
    expect(checked.kind === 'wrong' && checked.problems.toSorted()).toEqual([
      '"link.for" lacks {email}',
      '"mail.valid" has no form other',
      '"mail.valid", form "few": the language has no such form',
      '"people.title" has characters that can’t be used',
      '"site" has the unknown place {name}',
      '"view.newer" is empty',
      '"view.older" must be a text',
      'missing keys: "view.in", "view.feed"',
      'unknown keys: "view.out"',
    ]);
  });

  it.each([[null], [[]], ['text'], [7]])('is refused when it is %j', (content) => {
    expect(checkTranslation('fr', content).kind).toBe('wrong');
  });

  it('may have one text in place of forms by number', () => {
    const single = { ...english, 'mail.valid': '{count} 時間', 'people.give': '{email} {count}' };
    const rest = Object.entries(single).map(([key, text]) => [key, typeof text === 'string' ? text : text.other]);
    expect(checkTranslation('ja', Object.fromEntries(rest)).kind).toBe('ok');
  });
});
