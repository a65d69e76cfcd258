import { counts, defineTexts, plural } from '../../../../kit/text/define-texts.ts';
import { formatCount } from '../../../../kit/text/format.ts';

/** The texts of the commands for collections. */
export const texts = defineTexts({
  en: {
    nameNeeded: 'Enter a name.',
    nameTooLong: 'Use 255 characters or fewer.',
    slugNeeded: 'Enter a slug, or make one from the name.',
    slugForm: 'Use letters and digits, joined by hyphens.',
    descriptionTooLong: 'Use 200,000 characters or fewer.',
    renamed: (before: string, after: string) => `Renamed “${before}” to “${after}”.`,
    saved: (name: string) => `Saved “${name}”.`,
    newSlug: (slug: string) => `The slug is now “${slug}”.`,
    moved: (count: number, name: string, target: string) =>
      count === 1 ? `Moved “${name}” to “${target}”.` : `Moved ${counts.collections(count)} to “${target}”.`,
    notMoved: (count: number, total: number, reason: string) =>
      total === 1 ? reason : `${counts.collections(count)} of ${total} weren’t moved. ${reason}`,
    nothingToMove: 'These collections are already there.',
    tooMany: (count: number, limit: number) =>
      `You selected ${counts.collections(count)}. You can move or delete up to ${formatCount(limit)} at a time.`,
    tooManyNext: 'Select fewer, or select the collection that contains them.',
    undone: 'Undone.',
    pending: (sentence: string) =>
      `${sentence} Not in the library yet: Mediadesk sends it when it can reach the library.`,
    created: (name: string) => `Created “${name}”.`,
    deleting: (count: number, name: string) => `Deleting ${count === 1 ? `“${name}”` : counts.collections(count)}.`,
    deleted: (collectionCount: number, name: string, itemCount: number) =>
      `Deleted ${collectionCount === 1 ? `“${name}”` : counts.collections(collectionCount)}${itemCount === 0 ? '' : ` with ${counts.items(itemCount)}`}.`,
    linkCopied: 'Link copied.',
    linksCopied: (count: number) => plural(count, { one: '# link copied.', other: '# links copied.' }),
    noLink: 'The library doesn’t report a web page for this collection.',
    noLinkNext: 'Open the library in your browser to find it.',
  },
});
