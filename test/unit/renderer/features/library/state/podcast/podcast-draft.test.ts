import { describe, expect, it } from 'vitest';
import {
  draftOfPodcast,
  isEmail,
  isHttps,
  type PodcastDraft,
  podcastFindings,
  podcastForm,
} from '../../../../../../../renderer/features/library/state/podcast/podcast-draft.ts';
import {
  byUrgency,
  readinessOf,
  readyCount,
} from '../../../../../../../renderer/features/library/state/podcast/readiness.ts';
import { validPodcastEdits } from '../../../../../../../renderer/features/library/state/podcast/stored-podcast-edits.ts';
import { collectionSchema } from '../../../../../../../shared/api/collections.ts';
import { podcastDetailsSchema } from '../../../../../../../shared/api/podcasts.ts';

const details = podcastDetailsSchema.parse({ directory_category: ' odd\u0000 value ', copyright: '© me' });
const opened = draftOfPodcast(details);
const edited = (change: Partial<PodcastDraft>) => ({ ...opened, ...change });
const editsOf = (now: PodcastDraft) => podcastForm.changed(opened, {}, now);
const findings = (change: Partial<PodcastDraft>, from = opened) =>
  podcastFindings(from, { ...from, ...change }, 'The Show');

describe('the form of podcast details', () => {
  it('sends only edited fields, so that an unknown value stays byte for byte', () => {
    expect(podcastForm.patch(editsOf(edited({ directory_author_name: ' Ada ' })))).toEqual({
      directory_author_name: 'Ada',
    });
    expect(podcastForm.patch(editsOf(opened))).toEqual({});
  });

  it('clears a field with null instead of a text of blanks', () => {
    expect(podcastForm.patch(editsOf(edited({ copyright: '  ' })))).toEqual({ copyright: null });
  });

  it('keeps edits as they were typed, and restores only valid ones', () => {
    const edits = podcastForm.mine(editsOf(edited({ directory_subtitle: ' so far' })));
    expect(edits).toEqual({ directory_subtitle: ' so far' });
    expect(podcastForm.mine(editsOf(opened))).toEqual({});
    const stored = [['s/1', edits], ['s/2', { directory_url: 7 }], ['s/3', null], 'x', [1, edits]];
    expect([...validPodcastEdits(JSON.parse(JSON.stringify(stored)))]).toEqual([['s/1', edits]]);
    expect(validPodcastEdits({ length: 1 }).size).toBe(0);
  });
});

describe('the checks of podcast details', () => {
  it('reports at the field that a text is longer than any library accepts', () => {
    const tooLong = { kind: 'problem', text: 'Use 4,000 characters or fewer.' };
    expect(findings({ copyright: 'x'.repeat(4001) }).copyright).toEqual(tooLong);
    expect(findings({ copyright: 'x'.repeat(4000) }).copyright).toBeUndefined();
    expect(findings({ directory_subtitle: 'x'.repeat(20_001) }).directory_subtitle?.kind).toBe('problem');
  });

  it.each([
    ['radio@campus.example', true],
    ['first.last+tag@sub.example.org', true],
    ['jürgen@bücher.example', true],
    ['a@b', false],
    ['a b@c.de', false],
    ['a@@c.de', false],
    ['.a@c.de', false],
    ['a..b@c.de', false],
    ['a@-c.de', false],
    ['a@c..de', false],
    ['<a@c.de>', false],
    [`${'x'.repeat(250)}@c.de`, false],
  ])('isEmail(%s) is %s', (text, isValid) => {
    expect(isEmail(text)).toBe(isValid);
  });

  it.each([
    ['https://example.org/show?id=1', true],
    ['http://example.org', false],
    ['https://localhost', false],
    ['example.org', false],
    ['javascript:alert(1)', false],
    ['https://exa mple.org', false],
  ])('isHttps(%s) is %s', (text, isValid) => {
    expect(isHttps(text)).toBe(isValid);
  });

  it('blocks saving for an edited invalid value, and warns about a stored one', () => {
    expect(findings({ directory_author_email: 'x' }).directory_author_email?.kind).toBe('problem');
    const stored = edited({ directory_author_email: 'x' });
    expect(findings({ copyright: 'y' }, stored).directory_author_email?.kind).toBe('warning');
  });

  it('warns about an author that is the title, a personal address, a long or broken subtitle and an unknown value', () => {
    expect(findings({ directory_author_name: 'the show ' }).directory_author_name?.kind).toBe('warning');
    expect(findings({ directory_author_email: 'me@gmail.com' }).directory_author_email?.kind).toBe('warning');
    expect(findings({ directory_author_email: 'me@gmail.com.example' }).directory_author_email?.kind).toBe('warning');
    expect(findings({ directory_subtitle: 'x'.repeat(256) }).directory_subtitle?.kind).toBe('warning');
    expect(findings({ directory_subtitle: 'a\nb' }).directory_subtitle?.kind).toBe('warning');
    expect(findings({ directory_explicit: 'true' }).directory_explicit?.kind).toBe('warning');
    expect(findings({ directory_explicit: 'clean' })).toEqual({});
  });

  it('warns when the feed proxy changes, not when it is new, and refuses the directory address for it', () => {
    const url = 'https://a.example/feed';
    expect(findings({ feed_proxy_url: url })).toEqual({});
    expect(
      findings({ feed_proxy_url: 'https://b.example/' }, edited({ feed_proxy_url: url })).feed_proxy_url?.kind,
    ).toBe('warning');
    expect(findings({ feed_proxy_url: '' }, edited({ feed_proxy_url: url })).feed_proxy_url?.kind).toBe('warning');
    expect(findings({ feed_proxy_url: url, directory_url: url }).feed_proxy_url?.kind).toBe('problem');
  });
});

describe('the readiness for directories', () => {
  const podcast = (over: object = {}) => ({
    details,
    collection: collectionSchema.parse({ id: 1, display_name: 'The Show', description_plain: 'About' }),
    viewUrl: null,
    artwork: { width: 1400, height: 1400 },
    publishedEpisodes: 1,
    ...over,
  });
  const full = edited({
    directory_author_name: 'Ada',
    directory_author_email: 'a@b.example',
    directory_category: 'Arts',
    directory_explicit: 'no',
  });
  const stateOf = (id: string, over: object = {}, draft = full) =>
    readinessOf(podcast(over), draft).find((check) => check.id === id)?.state;

  it('counts met requirements; the language is always unknown', () => {
    expect(readyCount(readinessOf(podcast(), full))).toEqual({ ready: 8, known: 8 });
    expect(readyCount(readinessOf(podcast(), opened))).toEqual({ ready: 4, known: 8 });
    expect(readyCount(readinessOf(podcast({ artwork: 'unknown' }), full))).toEqual({ ready: 7, known: 7 });
    expect(readinessOf(podcast(), full)).toHaveLength(9);
    expect(stateOf('language')).toBe('unknown');
  });

  it('shows missing requirements first, then unknown ones', () => {
    const checks = byUrgency(readinessOf(podcast({ publishedEpisodes: 0 }), { ...full, directory_author_name: '' }));
    expect(checks.map(({ id }) => id)).toEqual([
      ...['author', 'episodes', 'language'],
      ...['title', 'description', 'email', 'category', 'explicit', 'artwork'],
    ]);
  });

  it.each([
    [{ width: 1399, height: 1399 }, 'missing'],
    [{ width: 3000, height: 3000 }, 'ready'],
    [{ width: 3001, height: 3001 }, 'missing'],
    [{ width: 2000, height: 2001 }, 'missing'],
    [{ width: null, height: 2000 }, 'unknown'],
    ['unknown', 'unknown'],
    [null, 'missing'],
  ])('with artwork of %j is %s', (artwork, state) => {
    expect(stateOf('artwork', { artwork })).toBe(state);
  });

  it('requires a description of at most 4,000 bytes, whatever the number of characters is', () => {
    const collection = (text: string) => ({
      collection: collectionSchema.parse({ id: 1, display_name: 'x', description_plain: text }),
    });
    expect(stateOf('description', collection('ä'.repeat(2000)))).toBe('ready');
    expect(stateOf('description', collection('ä'.repeat(2001)))).toBe('missing');
    expect(stateOf('description', collection(' '))).toBe('missing');
  });

  it('does not accept an unknown category or explicit value', () => {
    expect(stateOf('category', {}, opened)).toBe('missing');
    expect(stateOf('explicit', {}, edited({ directory_explicit: 'true' }))).toBe('missing');
    expect(stateOf('episodes', { publishedEpisodes: null })).toBe('unknown');
  });
});
