import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../electron/cli/arguments/usage-error.ts';
import { COMMANDS } from '../../../electron/cli/command-table.ts';
import { helpText } from '../../../electron/cli/help-text.ts';
import { readCommand } from '../../helpers/cli/command-line.ts';

const read = (line: string) => readCommand(line.split(' ').filter((word) => word !== '')).command;
const refuse = (line: string): UsageError => {
  try {
    read(line);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error(`“${line}” was accepted`);
};

describe('a command line', () => {
  it('has default values when only the required options are given', () => {
    expect(readCommand(['upload', 'a.wav', '--collection', '7'])).toEqual({
      command: {
        name: 'upload',
        manifest: null,
        paths: ['a.wav'],
        collection: '7',
        titleTemplate: null,
        tags: [],
        publish: { kind: 'draft' },
        series: null,
        isDryRun: false,
        duplicates: 'ask',
        sidecars: true,
        source: { kind: 'keep' },
        wait: false,
      },
      globals: {
        profileDir: null,
        keychain: 'system',
        passphraseFd: null,
        passphraseFile: null,
        site: null,
        account: null,
        json: false,
        verbose: false,
      },
    });
  });

  it('has the same meaning when options come before or after the command', () => {
    const expected = readCommand(['queue', 'list', '--profile', 'here', '--json']);
    expect(readCommand(['--profile', 'here', '--json', 'queue', 'list'])).toEqual(expected);
    expect(readCommand(['queue', '--json', '--profile=here', 'list'])).toEqual(expected);
    expect(expected.globals).toMatchObject({ profileDir: 'here', json: true });
  });

  it('does not read the value of an option as a command or a path', () => {
    expect(readCommand(['--site', 'upload', 'sites'])).toMatchObject({
      command: { name: 'sites' },
      globals: { site: 'upload' },
    });
    expect(readCommand(['upload', '--collection', 'x', 'one', 'two'])).toMatchObject({
      command: { paths: ['one', 'two'], collection: 'x' },
    });
  });

  it('reads words after -- as paths, also when they look like commands or options', () => {
    const { command } = readCommand(['upload', '--collection', 'x', '--', 'upload', '--wait']);
    expect(command).toMatchObject({ name: 'upload', paths: ['upload', '--wait'], wait: false });
  });

  it('splits tags at commas, without blanks and duplicates', () => {
    const { command } = readCommand(['upload', 'a', '--collection', 'c', '--tags', ' Physik ,week 7,,Physik']);
    expect(command).toMatchObject({ tags: ['Physik', 'week 7'] });
  });

  it('signs in when address and client id are given', () => {
    expect(read('sign-in --site https://m.example --client-id desk --browser none')).toEqual({
      name: 'sign-in',
      baseUrl: 'https://m.example',
      clientId: 'desk',
      browser: 'none',
      isPasted: false,
      port: null,
    });
    expect(refuse('sign-in --client-id desk').message).toBe('Missing option: --site');
    expect(refuse('sign-in --site https://m.example').message).toBe('Missing option: --client-id');
  });

  it.each([
    ['draft', { kind: 'draft' }],
    ['now', { kind: 'now' }],
    ['2027-03-01T09:00Z', { kind: 'at', at: '2027-03-01T09:00:00Z' }],
    ['2027-03-01T09:00:30+02:00', { kind: 'at', at: '2027-03-01T07:00:30Z' }],
  ])('publishes %s', (value, publish) => {
    expect(read(`upload a --collection c --publish ${value}`)).toMatchObject({ publish });
  });

  it('reads a publishing time as local time when it has no zone', () => {
    const at = new Date(2027, 2, 1, 9, 0).toISOString().replace('.000Z', 'Z');
    expect(read('upload a --collection c --publish 2027-03-01T09:00')).toMatchObject({ publish: { kind: 'at', at } });
    const midnight = new Date(2027, 2, 1).toISOString().replace('.000Z', 'Z');
    expect(read('upload a --collection c --publish 2027-03-01')).toMatchObject({ publish: { at: midnight } });
  });

  it.each(['tomorrow', '2027-13-01', '2027-03-01T25:00Z', '1', 'March 1, 2027'])(
    'rejects the publication %s',
    (value) => {
      expect(() => readCommand(['upload', 'a', '--collection', 'c', '--publish', value])).toThrow(UsageError);
    },
  );

  it('is refused when it selects uploads in two ways', () => {
    expect(read('queue retry u1 u2')).toMatchObject({ selection: { kind: 'ids', ids: ['u1', 'u2'] } });
    expect(read('queue pause --batch b')).toMatchObject({ selection: { kind: 'batch', batchId: 'b' } });
    expect(read('queue retry --batch b')).toMatchObject({ selection: { kind: 'failed', batchId: 'b' } });
    expect(read('queue cancel --all')).toMatchObject({ selection: { kind: 'all' } });
    expect(refuse('queue retry u1 --failed').message).toMatch('Use only one of');
    expect(refuse('queue pause --all --batch b').message).toMatch('Use only one of');
  });

  it('has the default values that its help names', () => {
    expect(helpText('library list').replace(/\s+/g, ' ')).toContain('Default: created_on, or relevance for a search.');
    expect(read('library list')).toMatchObject({ query: { filters: { sort: 'created_on', order: 'desc' } } });
    expect(read('library search x')).toMatchObject({ query: { filters: { sort: 'relevance' } } });
    expect(helpText('edits show').replace(/\s+/g, ' ')).toContain('Default: all, or attention without GROUP.');
    expect(read('edits show last')).toMatchObject({ filter: 'all' });
    expect(read('edits show')).toMatchObject({ filter: 'attention' });
  });

  it('selects all uploads, or failed ones for a retry, by default, but none for queue cancel', () => {
    expect(read('queue pause')).toMatchObject({ selection: { kind: 'all' } });
    expect(read('queue resume --wait')).toEqual({ name: 'queue resume', selection: { kind: 'all' }, wait: true });
    expect(read('queue retry')).toMatchObject({ selection: { kind: 'failed' } });
    expect(refuse('queue cancel').message).toMatch('Select uploads');
  });

  it.each([
    ['frobnicate', 'Unknown command: frobnicate'],
    ['queue', 'Incomplete command: queue. Use one of: list, pause, next, priority, move, resume, retry, cancel.'],
    [
      'queue stop',
      'Unknown command: queue stop. Use one of: list, pause, next, priority, move, resume, retry, cancel.',
    ],
    ['upload --collection c', 'Enter the files or folders to upload.'],
    ['upload a', 'Missing option: --collection'],
    ['sites here', 'Unexpected argument: here'],
    ['sites --wait', 'Unknown option'],
    ['upload a --collection', 'Enter a value for --collection'],
    ['receipt --format xml', 'Invalid value for --format: xml. Use json, csv, html.'],
    ['sites --keychain drawer', 'Invalid value for --keychain: drawer. Use system, file or memory.'],
    ['sites --passphrase-fd 3', '--passphrase-file and --passphrase-fd require --keychain file.'],
    ['upload a.wav --collection 7 --title-template {nme}', '“{nme}” isn’t a title token. You can use {name}'],
    ['sites --keychain file --passphrase-fd secret', '--passphrase-fd requires the number'],
  ])('is refused with a reason when it is wrong: %s', (line, reason) => {
    expect(refuse(line).message).toMatch(reason);
  });

  it('requests help with and without a command', () => {
    expect(read('')).toEqual({ kind: 'help', topic: null });
    expect(read('--help')).toEqual({ kind: 'help', topic: null });
    expect(read('upload --help')).toEqual({ kind: 'help', topic: 'upload' });
    expect(read('queue cancel --help')).toEqual({ kind: 'help', topic: 'queue cancel' });
    expect(read('queue --help')).toEqual({ kind: 'help', topic: 'queue' });
    expect(read('--version')).toEqual({ kind: 'version' });
  });
});

describe('the help', () => {
  it('names every command, and every option of each', () => {
    const overview = helpText(null);
    for (const { name, options } of COMMANDS) {
      expect(overview).toContain(`  ${name} `);
      const help = helpText(name);
      for (const option of [...Object.keys(options), 'profile', 'keychain', 'json']) {
        expect(help).toContain(`--${option}`);
      }
    }
  });

  it('fits a terminal of 120 columns', () => {
    for (const topic of [null, 'queue', ...COMMANDS.map(({ name }) => name)]) {
      for (const line of helpText(topic).split('\n')) expect(line.length).toBeLessThanOrEqual(120);
    }
  });
});

describe('items', () => {
  const commandOf = (...args: string[]) => readCommand(args).command;

  it('are listed, chosen or created', () => {
    expect(commandOf('items', 'list')).toEqual({ name: 'items list', batchId: null });
    expect(commandOf('items', 'list', '--batch', 'b1')).toEqual({ name: 'items list', batchId: 'b1' });
    expect(commandOf('items', 'use', 'u1', '42')).toEqual({ name: 'items use', uploadId: 'u1', mediaId: '42' });
    expect(commandOf('items', 'new', 'u1')).toEqual({ name: 'items new', uploadId: 'u1', mediaId: null });
  });

  it.each([['use', 'u1'], ['use', 'u1', '42', '43'], ['new'], ['new', 'u1', 'u2'], ['list', 'u1']])(
    'are refused when the operands do not match: items %s %s',
    (...words) => {
      expect(() => commandOf('items', ...words)).toThrowError(UsageError);
    },
  );
});

describe('duplicates', () => {
  const commandOf = (...args: string[]) => readCommand(args).command;

  it('are listed, and resolved for all uploads when no ids are given', () => {
    expect(commandOf('duplicates', 'list')).toEqual({ name: 'duplicates list', batchId: null });
    expect(commandOf('duplicates', 'skip')).toEqual({
      name: 'duplicates skip',
      choice: 'skip',
      selection: { kind: 'all' },
    });
    expect(commandOf('duplicates', 'upload', 'u1', 'u2')).toEqual({
      name: 'duplicates upload',
      choice: 'upload',
      selection: { kind: 'ids', ids: ['u1', 'u2'] },
    });
  });

  it('can be skipped when files are added, and an unknown choice is refused', () => {
    const upload = ['upload', 'a.wav', '--collection', '7', '--duplicates'];
    expect(commandOf(...upload, 'skip')).toMatchObject({ duplicates: 'skip' });
    expect(() => commandOf(...upload, 'never')).toThrow(UsageError);
  });
});

describe('library export', () => {
  it.each([
    ['items.csv', 'csv'],
    ['items.XLSX', 'xlsx'],
  ])('saves %s in the format of its extension', (name, format) => {
    expect(read(`library export --out ${name}`)).toMatchObject({ format });
  });

  it('has the columns that are named, in their order', () => {
    expect(read('library export --out a.csv --columns size,Title,created_on,id')).toMatchObject({
      columns: ['size', 'title', 'createdOn', 'id'],
    });
    expect(read('library export --out a.csv')).toMatchObject({ columns: null });
  });
});

describe('a command line that is not valid', () => {
  it.each([
    ['collections create Parentless', 'Missing option: --in'],
    ['collections create --in 1', ''],
    ['collections create Two names --in 1', ''],
    ['collections rename 1', ''],
    ['collections move --to 1', ''],
    ['collections delete', ''],
    ['podcast get', ''],
    ['podcast set 1', ''],
    ['podcast set 1 colour=red', 'colour'],
    ['podcast set 1 explicit=true', 'explicit'],
    ['library list --below', 'Use --below together with --collection.'],
    ['library list --type film', 'Invalid value for --type: film.'],
    ['library list --created-after soon', 'Invalid value for --created-after: soon.'],
    ['library list --limit 0', 'Invalid value for --limit: 0.'],
    ['library search', 'Enter a search text.'],
    ['library show', 'Enter the ID of an item.'],
    ['describe 7 --pattern {title}', 'Enter what to build'],
    ['describe 7 --from tags --pattern {title} --title {title}', 'Invalid value for --from: tags.'],
    ['describe 7 --query x --pattern {title} --title {title}', 'Enter either the IDs of items or a query.'],
    ['edit --title-prefix x', 'Enter the IDs of items, or use --query.'],
    ['captions add 7 talk.srt --language klingon!', 'Enter a language tag for --language'],
    ['files replace 7 8', 'Enter ITEM, FILE, PATH.'],
    ['files embed 7 file:///etc/passwd', 'Enter a web address'],
    ['library import list.csv --all-or-nothing --valid-only', 'Use either --all-or-nothing or --valid-only.'],
    ['duplicates skip u1 --all', 'Use only one of: upload IDs, --batch, --all.'],
    ['queue pause u1 --all', 'Use only one of: upload IDs, --batch, --failed, --all.'],
    ['queue cancel', 'Select uploads by their IDs, or with --batch ID, --failed or --all.'],
    ['library export --out list', 'The name of the file must end with .csv or .xlsx.'],
    ['library export --out a.csv --columns id,colour', 'Unknown column: colour'],
    ['library export --out a.csv --columns id,id', 'A column is given twice.'],
    ['library export --out list.pdf', 'The name of the file must end with .csv or .xlsx.'],
  ])('is refused with a sentence: %s', (line, sentence) => {
    const { message } = refuse(line);
    expect(message).toContain(sentence);
    expect(message).toMatch(/^[A-Z].+/);
  });
});

describe('a wrong option', () => {
  it.each([
    ['upload a.wav --collection x --title {name}', "Unknown option '--title'. Did you mean --title-template?"],
    ['upload --manifest --collection x', 'Enter a value for --manifest.'],
    ['upload a.wav --collection', 'Enter a value for --collection.'],
    ['describe --title', 'Enter a value for --title.'],
    ['library import a.csv --map --dry-run', 'Enter a value for --map.'],
    ['library import a.csv --dry', "Unknown option '--dry'. Did you mean --dry-run?"],
    ['upload a.wav --xyz', "Unknown option '--xyz'."],
    ['describe m:1 --title=', 'Enter a template for --title, such as "{name}".'],
  ])('in “%s” is refused with what to enter', (line, message) => {
    expect(refuse(line).message).toBe(message);
  });
});
