import { PODCAST_FIELDS, type PodcastField } from '../../../../shared/api/podcast-fields.ts';
import type { PodcastDetails } from '../../../../shared/api/podcasts.ts';
import { type PodcastPatch, podcastPatchSchema } from '../../../../shared/contract/collections.ts';
import { onlyOperand } from '../../arguments/options.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { findCollection } from '../../collections/find-collection.ts';
import { currentSite } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { waitsText } from '../../edits/edit-text.ts';
import { EXIT } from '../../output/exit-codes.ts';
import type { Output } from '../../output/output.ts';
import { table } from '../../output/text-format.ts';

/** The names of the fields on the command line. */
const FIELD_NAMES: Record<PodcastField, string> = {
  directory_author_name: 'author',
  directory_author_email: 'email',
  directory_subtitle: 'subtitle',
  directory_explicit: 'explicit',
  directory_category: 'category',
  copyright: 'copyright',
  directory_url: 'directory-url',
  directory_edu_category: 'edu-category',
  feed_proxy_url: 'feed-proxy',
};

export const podcastGetCommand = defineEngineCommand({
  name: 'podcast get',
  operands: 'COLLECTION',
  summary: 'Show the podcast details of a collection.',
  options: {},
  read: (_values, operands) => ({ ref: onlyOperand(operands, 'Enter a collection.') }),
  async run(context, { ref }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const { id: collectionId } = await findCollection(engine, siteId, ref);
    show(output, collectionId, (await engine.call('library.podcast', { siteId, collectionId })).details);
    return EXIT.complete;
  },
});

export const podcastSetCommand = defineEngineCommand({
  name: 'podcast set',
  operands: 'COLLECTION NAME=VALUE…',
  summary: 'Change podcast details, such as author=Ada explicit=no.',
  options: {},
  read(_values, [ref = '', ...words]) {
    if (ref === '' || words.length === 0) throw new UsageError('Enter the collection and at least one NAME=VALUE.');
    return { ref, patch: readPodcastPatch(words) };
  },
  async run(context, { ref, patch }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const { id: collectionId } = await findCollection(engine, siteId, ref);
    const saved = await engine.call('library.updatePodcast', { siteId, collectionId, patch, expected: {} });
    show(output, collectionId, saved.details);
    if (!saved.isPending) return EXIT.complete;
    if (saved.pendingReason) output.notice(saved.pendingReason);
    output.line(waitsText('Change the podcast details'));
    return EXIT.incomplete;
  },
});

/** Reads `author=Ada explicit=no copyright=`; a name without a value clears the field. Throws `UsageError`. */
function readPodcastPatch(words: readonly string[]): PodcastPatch {
  const patch: Record<string, string | null> = {};
  for (const word of words) {
    const equals = word.indexOf('=');
    const name = word.slice(0, Math.max(0, equals));
    const field = PODCAST_FIELDS.find((each) => each === name || FIELD_NAMES[each] === name);
    if (field === undefined) {
      throw new UsageError(`Unknown field: ${word}. Use NAME=VALUE with ${Object.values(FIELD_NAMES).join(', ')}.`);
    }
    patch[field] = word.slice(equals + 1).trim() || null;
  }
  const parsed = podcastPatchSchema.safeParse(patch);
  if (parsed.success) return parsed.data;
  const field = String(parsed.error.issues[0]?.path[0] ?? '') as PodcastField;
  if (field === 'directory_explicit') throw new UsageError('Use no, yes or clean for explicit.');
  throw new UsageError(`The value of ${FIELD_NAMES[field]} is too long.`);
}

function show(output: Output, collectionId: string, details: PodcastDetails): void {
  output.record({ podcast: { collectionId, ...details } });
  for (const line of table(PODCAST_FIELDS.map((field) => [FIELD_NAMES[field], details[field] ?? '–'])))
    output.line(line);
}
