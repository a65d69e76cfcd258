import {
  EXPLICIT_VALUES,
  mostOfPodcastField,
  PODCAST_FIELDS,
  type PodcastField,
} from '../../../../../shared/api/podcast-fields.ts';
import type { PodcastDetails } from '../../../../../shared/api/podcasts.ts';
import type { PodcastPatch } from '../../../../../shared/contract/collections.ts';
import { recordOf } from '../../../../../shared/item/fields.ts';
import { createDraft, type EditsOf, exact } from '../create-draft.ts';
import { texts } from '../texts.ts';

/** The nine fields as the form shows them; an empty text means that the field is not set. */
export type PodcastDraft = Readonly<Record<PodcastField, string>>;

export function draftOfPodcast(details: PodcastDetails): PodcastDraft {
  return recordOf(PODCAST_FIELDS, (field) => details[field] ?? '');
}

/**
 * The edits of podcast details. They are sent without blanks at both ends; a cleared field is null, because an empty text breaks
 * feeds. Unchanged fields are not sent, so unknown values in them stay.
 */
export const podcastForm = createDraft<PodcastDraft, PodcastPatch>(
  recordOf(PODCAST_FIELDS, (field) => ({ ...exact<string>(field), written: (text: string) => text.trim() || null })),
);

export type PodcastEdits = EditsOf<PodcastDraft>;

/** A finding about a field: `problem` blocks saving, `warning` does not. */
interface FieldFinding {
  kind: 'problem' | 'warning';
  text: string;
}
export type Findings = Partial<Record<PodcastField, FieldFinding>>;

const MOST_SUBTITLE = 255;
const PERSONAL_HOSTS =
  /@(?:gmail|googlemail|outlook|hotmail|live|yahoo|icloud|me|gmx|web|proton|protonmail|aol)\.[a-z.]+$/i;

/** Checks the fields as directories would. `title`: the name of the collection. */
export function podcastFindings(opened: PodcastDraft, draft: PodcastDraft, title: string): Findings {
  const findings: Findings = {};
  const put = (field: PodcastField, finding: FieldFinding | null) => {
    if (finding !== null) findings[field] = finding;
  };
  put('directory_author_name', ofAuthor(draft.directory_author_name.trim(), title));
  put('directory_author_email', ofEmail(draft.directory_author_email.trim()));
  put('directory_subtitle', ofSubtitle(draft.directory_subtitle.trim()));
  put('directory_url', ofAddress(draft.directory_url.trim()));
  put('feed_proxy_url', ofFeedProxy(opened, draft));
  for (const field of PODCAST_FIELDS) {
    const most = mostOfPodcastField(field);
    if (draft[field].trim().length > most) put(field, problem(texts.podcast.tooLong(most)));
  }
  const explicit = draft.directory_explicit;
  if (explicit !== '' && !(EXPLICIT_VALUES as readonly string[]).includes(explicit)) {
    put('directory_explicit', warning(texts.podcast.explicitUnknown(explicit)));
  }
  // An invalid value that the library already had does not block saving other fields, because the user did not enter it.
  for (const [field, finding] of Object.entries(findings) as [PodcastField, FieldFinding][]) {
    if (draft[field] === opened[field]) findings[field] = { ...finding, kind: 'warning' };
  }
  return findings;
}

const problem = (text: string): FieldFinding => ({ kind: 'problem', text });
const warning = (text: string): FieldFinding => ({ kind: 'warning', text });

function ofAuthor(author: string, title: string): FieldFinding | null {
  return author !== '' && author.toLowerCase() === title.trim().toLowerCase()
    ? warning(texts.podcast.authorIsTitle)
    : null;
}

function ofEmail(email: string): FieldFinding | null {
  if (email === '') return null;
  if (!isEmail(email)) return problem(texts.podcast.emailInvalid);
  return PERSONAL_HOSTS.test(email) ? warning(texts.podcast.emailPersonal) : null;
}

/** Returns whether a text has the form of an e-mail address: one @ with a name before it and a domain with a dot after it. */
export function isEmail(text: string): boolean {
  const [name = '', domain = '', ...more] = text.split('@');
  if (more.length > 0 || name === '' || text.length > 254 || /[\s<>(),;:"[\]\\]/.test(text)) return false;
  const labels = domain.split('.');
  const isLabel = (label: string) => /^[\p{L}\p{N}-]+$/u.test(label) && !label.startsWith('-') && !label.endsWith('-');
  return (
    labels.length > 1 && labels.every(isLabel) && !name.startsWith('.') && !name.endsWith('.') && !name.includes('..')
  );
}

function ofSubtitle(subtitle: string): FieldFinding | null {
  if (/[\r\n]/.test(subtitle)) return warning(texts.podcast.subtitleLines);
  return subtitle.length > MOST_SUBTITLE ? warning(texts.podcast.subtitleLong(subtitle.length)) : null;
}

function ofAddress(address: string): FieldFinding | null {
  return address === '' || isHttps(address) ? null : problem(texts.podcast.addressInvalid);
}

/** Returns whether a text is a complete https address. */
export function isHttps(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && url.hostname.includes('.') && !/\s/.test(text);
}

function ofFeedProxy(opened: PodcastDraft, draft: PodcastDraft): FieldFinding | null {
  const address = draft.feed_proxy_url.trim();
  const invalid = ofAddress(address);
  if (invalid !== null) return invalid;
  if (address !== '' && address === draft.directory_url.trim()) return problem(texts.podcast.feedIsDirectory);
  return opened.feed_proxy_url !== '' && draft.feed_proxy_url !== opened.feed_proxy_url
    ? warning(texts.podcast.feedMoves)
    : null;
}
