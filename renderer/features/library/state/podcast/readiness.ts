import type { Podcast } from '../../../../../shared/contract/collections.ts';
import { artworkProblems } from '../../../../../shared/model/podcast-artwork.ts';
import { readCategory } from '../../../../../shared/model/podcast-categories.ts';
import { texts } from '../texts.ts';
import { isEmail, type PodcastDraft } from './podcast-draft.ts';

/** One requirement that podcast directories check. */
export interface ReadinessCheck {
  id: string;
  label: string;
  /** `unknown`: this library does not report the value. */
  state: 'ready' | 'missing' | 'unknown';
  /** The missing or the found value, as a sentence. */
  text: string;
}

const MOST_DESCRIPTION_BYTES = 4000;

/** Checks the podcast as it would be after saving. An unmet check does not block saving. */
export function readinessOf(podcast: Podcast, draft: PodcastDraft): ReadinessCheck[] {
  return [
    check('title', podcast.collection.display_name.trim() !== '', texts.podcast.ready.title),
    description(podcast.collection.description_plain ?? ''),
    check('author', draft.directory_author_name.trim() !== '', texts.podcast.ready.author),
    check('email', isEmail(draft.directory_author_email.trim()), texts.podcast.ready.email),
    check('category', readCategory(draft.directory_category) !== null, texts.podcast.ready.category),
    check('explicit', ['yes', 'no', 'clean'].includes(draft.directory_explicit), texts.podcast.ready.explicit),
    artwork(podcast.artwork),
    episodes(podcast.publishedEpisodes),
    {
      id: 'language',
      label: texts.podcast.ready.language.label,
      state: 'unknown',
      text: texts.podcast.ready.language.text,
    },
  ];
}

/**
 * Returns the number of met checks and of all checks, such as `6 of 8`. Checks of values that the library does not report are not
 * counted.
 */
export function readyCount(checks: readonly ReadinessCheck[]): { ready: number; known: number } {
  const count = (state: ReadinessCheck['state']) => checks.filter((each) => each.state === state).length;
  return { ready: count('ready'), known: checks.length - count('unknown') };
}

const ORDER = ['missing', 'unknown', 'ready'] as const;

/** Sorts the checks: missing values first, then unknown ones, then met checks. */
export function byUrgency(checks: readonly ReadinessCheck[]): ReadinessCheck[] {
  return checks.toSorted((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state));
}

interface Words {
  label: string;
  ready: string;
  missing: string;
}

function check(id: string, isReady: boolean, { label, ready, missing }: Words): ReadinessCheck {
  return { id, label, state: isReady ? 'ready' : 'missing', text: isReady ? ready : missing };
}

function description(text: string): ReadinessCheck {
  const bytes = new TextEncoder().encode(text.trim()).length;
  const { label, none, long, fits } = texts.podcast.ready.description;
  const isReady = bytes > 0 && bytes <= MOST_DESCRIPTION_BYTES;
  const words = bytes === 0 ? none : isReady ? fits(bytes) : long(bytes);
  return { id: 'description', label, state: isReady ? 'ready' : 'missing', text: words };
}

function artwork(size: Podcast['artwork']): ReadinessCheck {
  const { label, none, unknown, unsized, wrong, fits } = texts.podcast.ready.artwork;
  const answer = (state: ReadinessCheck['state'], text: string) => ({ id: 'artwork', label, state, text });
  if (size === 'unknown') return answer('unknown', unknown);
  if (size === null) return answer('missing', none);
  const { width, height } = size;
  if (width === null || height === null) return answer('unknown', unsized);
  const fitsDirectories = artworkProblems({ width, height }).length === 0;
  return fitsDirectories ? answer('ready', fits(width, height)) : answer('missing', wrong(width, height));
}

function episodes(count: number | null): ReadinessCheck {
  const { label, none, unknown, some } = texts.podcast.ready.episodes;
  if (count === null) return { id: 'episodes', label, state: 'unknown', text: unknown };
  return { id: 'episodes', label, state: count > 0 ? 'ready' : 'missing', text: count > 0 ? some(count) : none };
}
