import { defineTexts, plural } from '../../../kit/text/define-texts.ts';
import { formatCount } from '../../../kit/text/format.ts';

const people = (count: number) => plural(count, { one: '# person', other: '# people' });

/** `Ann, Ben and 35 more` */
function firstOf(names: readonly string[], count: number): string {
  const more = count - names.length;
  return more > 0 ? `${names.join(', ')} and ${formatCount(more)} more` : names.join(', ');
}

/** The texts about who may do what, and why. */
export const texts = defineTexts({
  en: {
    effects: {
      none: 'This change affects nobody’s permissions.',
      gain: (names: string, count: number, who: readonly string[]) =>
        `${people(count)} (${firstOf(who, count)}) ${count === 1 ? 'gains' : 'gain'}: ${names}`,
      lose: (names: string, count: number, who: readonly string[]) =>
        `${people(count)} (${firstOf(who, count)}) ${count === 1 ? 'loses' : 'lose'}: ${names}`,
      visitors: 'Visitors without an account are affected, too.',
    },
    subject: {
      label: 'Person or group',
      offers: 'People and groups',
      /** What tells users and groups of the same name apart. */
      detail: (subject: { kind: 'user' | 'group'; id: string }, email: string, isNamesake: boolean) =>
        [
          subject.kind === 'group' ? 'Group' : email,
          ...(isNamesake && (subject.kind === 'group' || email === '') ? [`ID ${subject.id}`] : []),
        ]
          .filter(Boolean)
          .join(', '),
      namesake: (name: string, email: string, id: string) => `${name} (${email === '' ? `ID ${id}` : email})`,
    },
    who: {
      title: (collection: string) => `Who has a permission in “${collection}”?`,
      permission: 'Permission',
      loading: 'Loading…',
      count: (count: number) =>
        count === 0
          ? 'Nobody has this permission here.'
          : plural(count, { one: '# person has it.', other: '# people have it.' }),
      visitors: 'Visitors without an account have it, too.',
      more: (count: number) =>
        `${plural(count, { one: 'and # more person', other: 'and # more people' })}. The command line lists all of them.`,
    },
    view: {
      choose: 'See the library as somebody else',
      chooseText: 'Find a person or a group above.',
      title: (name: string) => `The library as ${name} sees it`,
      loading: 'Loading…',
      list: (name: string) => `Collections that ${name} sees`,
      count: (count: number, total: number, isPlanned: boolean) =>
        `${isPlanned ? 'Visible after the change' : 'Visible'}: ${formatCount(count)} of ${plural(total, { one: '# collection', other: '# collections' })}.`,
      changed: (count: number) =>
        plural(count, {
          one: 'The planned change changes # collection.',
          other: 'The planned change changes # collections.',
        }),
      unchanged: 'The planned change changes nothing here.',
      onlyChanged: 'Only what changes',
      nothing: 'No collection is visible.',
      collection: 'Collection',
      columns: {
        'media-read': 'See',
        'media-play': 'Play',
        'media-download': 'Download',
        'media-create': 'Add',
        'media-publish': 'Publish',
        'media-update': 'Edit',
        'media-delete': 'Delete',
        'collection-update': 'Settings',
        'collection-share': 'Share',
      },
      yes: 'yes',
      no: 'no',
      gains: 'yes, after the change',
      loses: 'no longer, after the change',
      /** Permissions without a column that are gained and lost; empty without any. */
      others: (gained: string, lost: string) =>
        [gained === '' ? '' : `+ ${gained}`, lost === '' ? '' : `− ${lost}`].filter(Boolean).join('; '),
      appears: 'becomes visible',
      disappears: 'becomes hidden',
    },
    explain: {
      title: (name: string) => `What ${name} may do, and why`,
      loading: 'Asking the library…',
      nowhere: 'Nowhere: there is no role that counts.',
      here: 'Nothing here: no role counts in this collection.',
      may: (names: string) => `May: ${names}`,
      administrator: 'Administrators may do everything in every collection.',
      way: (role: string, group: string | null, from: string | null, levels: number) =>
        `${role}${group === null ? ', directly' : ` by the group “${group}”`}${
          from === null
            ? ''
            : `, inherited from “${from}” (${plural(levels, { one: '# level', other: '# levels' })} above)`
        }`,
      same: 'The library calculates the same.',
      differs: (names: string) => `The library calculates something else. It decides: ${names}`,
      differing: (count: number) =>
        plural(count, {
          one: 'In # collection the library calculates something else.',
          other: 'In # collections the library calculates something else.',
        }),
      more: (count: number) => plural(count, { one: 'and # more collection', other: 'and # more collections' }),
      nothing: 'nothing',
    },
  },
});
