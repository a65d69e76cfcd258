import type { OfferedManifest } from '../../../shared/contract/watch.ts';
import { counts, defineTexts, plural } from '../../kit/text/define-texts.ts';
import { formatBytes, formatCount } from '../../kit/text/format.ts';
import { afterUpload } from '../common/texts.ts';

const NAMED_MANIFESTS = 3;

function manifestPlace(files: OfferedManifest['files'], isAll: boolean): string {
  const usable = files.filter(({ error }) => error === null);
  const paths = usable.slice(0, NAMED_MANIFESTS).map(({ path }) => path);
  const more = !isAll || usable.length > paths.length ? ', …' : '';
  return usable.length === 1
    ? `${paths.join('')} is in this folder:`
    : `${paths.join(', ')}${more} are in this folder:`;
}

/** The texts of watched folders. */
export const texts = defineTexts({
  en: {
    title: 'Watched folders',
    addFolder: 'Add folder…',
    loading: 'Loading watched folders…',
    failed: 'Watched folders could not be loaded',
    empty: {
      title: 'No watched folders yet',
      text: 'Mediadesk uploads every new file of a watched folder as soon as the program that writes it is finished.',
      drop: 'Or drop a folder here.',
    },

    folders: {
      label: 'Watched folders',
      back: 'All watched folders',
    },
    states: {
      off: 'Not watching',
      paused: 'Paused',
      watching: 'Watching',
      sweeping: 'Sweeping',
      'sweep-only': 'Sweeps only',
      'waiting-for-drive': 'Waiting for drive',
      moved: 'Needs decision',
      unusable: 'Can’t be read',
    },
    counts: {
      settling: (count: number) => `${formatCount(count)} settling`,
      queued: (count: number) => `${formatCount(count)} queued`,
      done: (count: number) => `${formatCount(count)} uploaded`,
      refused: (count: number) => `${formatCount(count)} skipped`,
      incomplete: (count: number) => `${formatCount(count)} incomplete`,
      none: 'No files yet',
    },
    sweep: {
      last: (time: string) => `Last sweep ${time}`,
      never: 'Not swept yet',
      next: (wait: string) => `next in ${wait}`,
      soon: 'next any moment',
      now: 'sweeping now',
      meaning: 'A sweep compares the whole folder with what Mediadesk knows, so that no file is missed.',
    },

    commands: {
      label: 'Folder',
      pause: 'Pause',
      resume: 'Resume',
      sweep: 'Sweep now',
      edit: 'Edit rules…',
      show: 'Show in folder',
      remove: 'Remove…',
      sameFolder: 'Same folder',
      locate: 'Choose its new place…',
      movedTo: (path: string) => `Is ${path} the same folder?`,
    },
    remove: {
      title: (name: string) => `Stop watching ${name}?`,
      text: 'Mediadesk forgets this folder and its rules. The files stay where they are, and their uploads stay in the queue, in the receipts and in the library.',
      keep: 'Keep watching',
      confirm: 'Stop watching',
    },

    tabs: {
      label: 'Files',
      settling: 'Settling',
      attention: 'Needs attention',
      recent: 'Recent',
      refused: 'Skipped',
    },
    nothing: {
      settling: [
        'No file is settling',
        'A new file appears here until it has stopped changing. Then Mediadesk queues it.',
      ],
      attention: [
        'Nothing needs your attention',
        'Recordings that look incomplete are listed here, so that you can check them.',
      ],
      recent: ['No arrivals yet', 'Files that Mediadesk has queued are listed here with the state of their uploads.'],
      refused: ['No file was skipped', 'Files that your rules skip are listed here with the reason.'],
    },
    files: {
      failed: 'The files could not be loaded',
      loading: 'Loading',
      settling: 'Mediadesk waits until a file stops changing, then queues it.',
      ready: (wait: string) => `Ready in ${wait}.`,
      checking: 'Checking it now.',
      gone: 'no longer in the folder',
      queuedAt: (time: string, why: string) => (why === '' ? `Queued ${time}` : `Queued ${time} · ${why}`),
      more: (name: string) => `More for ${name}`,
      anyway: 'Upload anyway',
      anywayAll: (count: number) => plural(count, { one: 'Upload # file anyway', other: 'Upload # files anyway' }),
      showUpload: 'Show upload',
      showFile: 'Show in folder',
      selected: (count: number) => plural(count, { one: '# file selected', other: '# files selected' }),
      noUpload: 'No upload was needed',
    },

    /** The reasons why the rules upload, postpone or skip a file. The condition is one of `conditions`. */
    verdict: {
      upload: (rule: string, condition: string) => `Rule “${rule}” uploads it: ${condition}.`,
      wait: (rule: string, condition: string) => `Rule “${rule}” waits: ${condition}.`,
      skip: (rule: string, condition: string) => `Rule “${rule}” skips it: ${condition}.`,
      passed: (rule: string, condition: string) => `Rule “${rule}” doesn’t apply: ${condition}.`,
      short: (rule: string, condition: string) => `${rule}: ${condition}`,
      plain: (condition: string) => `${condition.charAt(0).toUpperCase()}${condition.slice(1)}.`,
    },
    defaultRule: 'All other files',
    unknownRule: 'a deleted rule',
    conditions: {
      everyName: 'it takes every name',
      include: (glob: string) => `the name matches ${glob}`,
      notIncluded: 'the name matches none of its patterns',
      exclude: (glob: string) => `the name matches the exception ${glob}`,
      minSize: (size: string) => `the file is smaller than ${size}`,
      minAge: (age: string) => `the file has been unchanged for less than ${age}`,
      empty: 'the file is empty',
      notAFile: 'it isn’t a regular file',
      existing: 'it was in the folder before you added the folder',
      handled: 'its contents were uploaded from this folder before',
      manifest: 'it describes the files of its folder',
      attached: (recording: string) => `it goes along with ${recording}`,
      unclear: (recordings: readonly string[]) => `it may belong to ${recordings.join(' or ')}`,
      ignored: {
        partial: (name: string) => `“${name}” is the name of a file that a program is still writing`,
        temporary: (name: string) => `“${name}” is the name of a temporary file`,
        system: (name: string) => `“${name}” belongs to the operating system`,
        hidden: (name: string) => `“${name}” is hidden`,
        'work-folder': (name: string) => `a program works in the folder “${name}”`,
        'system-folder': (name: string) => `“${name}” is a folder for deleted files, snapshots or thumbnails`,
        package: (name: string) => `“${name}” is a package, which macOS shows as one file`,
      },
    },

    add: {
      title: 'Add a watched folder',
      folder: 'Folder',
      otherFolder: 'Another folder…',
      counting: 'Counting the files…',
      nothingIn: 'The folder is empty now.',
      count: (files: number, bytes: number, isAll: boolean) =>
        `${isAll ? '' : 'more than '}${counts.files(files)}, ${formatBytes(bytes)}`,
      network: 'This is a network drive, so Mediadesk sweeps it regularly to find new files.',
      existing: 'Files that are in the folder now',
      existingUpload: (files: string) => `Upload them too (${files})`,
      existingUploadPlain: 'Upload them too',
      existingSkip: 'Upload only files that arrive from now on',
      manifest: ({ files, isAll, rows, fitting, missing, bad, nearer, uploaded }: OfferedManifest) =>
        [
          manifestPlace(files, isAll),
          `${formatCount(fitting)} of ${plural(rows, { one: '# row', other: '# rows' })} can be used now.`,
          uploaded === 0
            ? ''
            : plural(uploaded, { one: '1 file was uploaded before.', other: '# files were uploaded before.' }),
          nearer === 0
            ? ''
            : plural(nearer, {
                one: '1 row isn’t used, because a spreadsheet is nearer to its file.',
                other: '# rows aren’t used, because a spreadsheet is nearer to their files.',
              }),
          missing === 0 ? '' : plural(missing, { one: '1 file isn’t here yet.', other: '# files aren’t here yet.' }),
          bad === 0
            ? ''
            : plural(bad, { one: '1 row has errors and isn’t used.', other: '# rows have errors and aren’t used.' }),
        ]
          .filter((sentence) => sentence !== '')
          .join(' '),
      manifestUnusable: (path: string) => `${path} can’t be used as it is.`,
      examples: 'Examples of titles',
      more: 'More',
      rules: 'Rules and preview…',
      cancel: 'Cancel',
      add: 'Add folder',
      adding: 'Adding…',
      pickTitle: 'Folder to watch',
    },

    fields: {
      include: 'Only names that match',
      includeHint: 'Patterns such as *.mp4 or Lectures/**. None: every name.',
      exclude: 'Except names that match',
      addPattern: 'Add a pattern…',
      removePattern: (glob: string) => `Remove pattern ${glob}`,
      patterns: (globs: readonly string[]) => (globs.length === 0 ? 'No patterns' : `Patterns: ${globs.join(', ')}`),
      video: 'Video files',
      audio: 'Audio files',
      minSize: 'Minimum size',
      minAge: 'Unchanged for at least',
      amount: (label: string) => `${label}: amount`,
      unit: (label: string) => `${label}: unit`,
      notANumber: 'Enter a number, such as 10.',
      account: 'Account',
      mapping: 'Files in sub-folders',
      mappingFixed: 'Same collection',
      mappingByFolder: 'One collection per sub-folder',
      collection: 'Collection',
      parent: 'Parent collection',
      byName: (ref: string) => `Currently “${ref}”, as set on the command line. You can choose another one.`,
      levels: 'Sub-folders',
      levelsFirst: 'First level only',
      levelsEvery: 'Every level',
      create: 'Create missing collections',
      titles: 'Titles',
      tokens: 'Add a token',
      tags: 'Tags',
      publish: 'Publish',
      publishDraft: 'Save as draft',
      publishNow: 'When complete',
      publishAfter: 'Later',
      publishDelay: 'After it was queued',
      priority: 'Priority',
      priorities: { high: 'High', normal: 'Normal', low: 'Low' },
      duplicates: 'Duplicates',
      duplicatesAsk: 'Ask me',
      duplicatesSkip: 'Skip',
      duplicatesUpload: 'Upload anyway',
      sidecars: 'Captions and thumbnails',
      sidecarsOn: 'Upload captions and thumbnails beside recordings',
      details: 'Details files',
      detailsOn: 'Use the JSON, XML or text file beside a recording for its title and other fields',
      manifest: 'Manifest',
      manifestOn: 'Use manifest.csv or manifest.xlsx in the folder for titles and other fields',
      after: 'After uploading',
      afterKeep: afterUpload.choices.keep,
      afterMove: afterUpload.choices.move,
      afterTrash: afterUpload.choices.trash,
      afterHint: afterUpload.meaning,
      chooseFolder: afterUpload.chooseFolder,
      otherFolder: afterUpload.otherFolder,
      noFolder: afterUpload.noFolder,
      folderTitle: 'Folder for uploaded files',
      sweepEvery: 'Sweep',
      sweepAuto: 'Automatic',
      sweepEveryMs: (wait: string) => `Every ${wait}`,
    },
    units: { min: 'min', h: 'h', days: 'days', kB: 'kB', MB: 'MB', GB: 'GB' },

    problems: {
      summary: (count: number) =>
        plural(count, { one: '# problem to solve first', other: '# problems to solve first' }),
      inRule: (rule: string, message: string) => `${rule}: ${message}`,
      noName: 'Enter a name for the rule.',
      noCollection: 'Choose a collection.',
      noFolder: 'Choose the folder for uploaded files.',
      noExisting: 'Choose what happens to the files that are in the folder now.',
      sameId: 'Two rules have the same id. Delete one of them.',
      takesNothing: (glob: string) => `${glob} is both required and excepted, so the rule matches no file.`,
      glob: {
        empty: 'A pattern can’t be empty.',
        'too-long': 'The pattern is too long.',
        backslash: 'Separate folders with /, not with \\.',
        brace: 'A brace in the pattern has no partner, or is empty.',
        bracket: 'A bracket in the pattern has no partner, or is empty.',
        alternatives: 'The braces of the pattern make too many alternatives.',
        'folder-name': 'The pattern contains an empty name, “.” or “..”.',
      },
      inGlob: (glob: string, message: string) => `${glob}: ${message}`,
    },
  },
});
