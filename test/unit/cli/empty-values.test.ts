// An empty operand or value is often that of a variable which a script forgot to set: it never means all, or the present folder.
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../electron/cli/arguments/usage-error.ts';
import { COMMANDS } from '../../../electron/cli/command-table.ts';
import { MAX_ADMIN_LINE, MAX_ADMIN_SEARCH } from '../../../shared/model/access/admin-limits.ts';
import { readCommand } from '../../helpers/cli/command-line.ts';

/** Returns the sentence and the topic with which a command line is refused; null when it isn't. */
function refusal(args: readonly string[]): { message: string; topic: string | null } | null {
  try {
    readCommand(args);
    return null;
  } catch (error) {
    if (error instanceof UsageError) return { message: error.message, topic: error.topic };
    throw error;
  }
}

/** A command of each kind of operand, with the sentence for an empty one. */
const OPERANDS: [name: string, operands: string[], sentence: string][] = [
  ['admin users show', [''], 'Enter a user.'],
  ['admin users edit', ['', '--administrator', 'yes'], 'Enter a user.'],
  ['admin users groups', ['ada', ' '], 'Enter the users.'],
  ['admin users delete', ['ada', ''], 'Enter the users to delete.'],
  ['admin users import', [''], 'Enter the file to import.'],
  ['admin groups create', [''], 'Enter a name.'],
  ['admin groups rename', ['', 'Crew'], 'Enter the group and its new name.'],
  ['admin groups rename', ['Crew', ' '], 'Enter a name.'],
  ['admin groups delete', ['Crew', ''], 'Enter the groups to delete.'],
  ['admin tags create', [' '], 'Enter a name.'],
  ['admin tags rename', ['', 'optics'], 'Enter the tag and its new name.'],
  ['admin tags delete', [''], 'Enter the tags to delete.'],
  ['admin tags merge', ['', '--into', 'optics'], 'Enter the tags to merge.'],
  ['admin roles show', [' '], 'Enter a role.'],
  ['admin roles create', ['', '--permissions', 'media-read'], 'Enter a name.'],
  ['admin roles edit', ['', '--name', 'Cutter'], 'Enter a role.'],
  ['admin roles delete', [''], 'Enter a role.'],
  ['admin members set', ['', '--person', 'ada', '--role', 'Editor'], 'Enter a collection.'],
  ['admin members remove', ['', '--group', 'Crew'], 'Enter a collection.'],
  ['admin members inherit', ['', 'on'], 'Enter the collection, then on or off.'],
  ['access explain', [''], 'Enter a user, or use --group.'],
  ['access explain', ['ada', ''], 'Argument 2 is empty.'],
  ['access explain', ['--group', 'Crew', ' '], 'Argument 1 is empty.'],
  ['access who', ['', 'media-read'], 'Enter the collection and the permission.'],
  ['collections create', ['', '--in', 'Library'], 'Enter a name.'],
  ['collections edit', ['', 'description=Talks'], 'Enter the collection and at least one NAME=VALUE.'],
  ['collections rename', ['', 'Talks'], 'Enter the collection and its new name.'],
  ['collections rename', [' ', 'Talks'], 'Argument 1 is empty.'],
  ['collections move', ['', '--to', 'Library'], 'Argument 1 is empty.'],
  ['collections delete', ['Talks', ''], 'Argument 2 is empty.'],
  ['collections thumbnail', ['', 'a.png'], 'Enter COLLECTION, PATH.'],
  ['collections members', [' '], 'Argument 1 is empty.'],
  ['podcast get', [''], 'Enter a collection.'],
  ['podcast set', [' ', 'explicit=no'], 'Argument 1 is empty.'],
  ['library show', [''], 'Enter the ID of an item.'],
  ['library download', ['7', '', '--to', '.'], 'Argument 2 is empty.'],
  ['files list', [' '], 'Argument 1 is empty.'],
  ['files add', ['7', ''], 'Argument 2 is empty.'],
  ['files delete', ['7', ' '], 'Argument 2 is empty.'],
  ['edit', ['', '--title', 'Talk'], 'Argument 1 is empty.'],
  ['edits drop', [''], 'Argument 1 is empty.'],
  ['upload', ['', '--collection', 'Talks'], 'Argument 1 is empty.'],
  ['queue cancel', [''], 'Argument 1 is empty.'],
  ['watch add', [' ', '--collection', 'Talks'], 'Enter the folder.'],
];

/** Options that name something, with the rest of a line that is valid with a value. */
const OPTIONS: [name: string, rest: string[], option: string][] = [
  ['admin members list', [], 'collection'],
  ['admin members list', [], 'person'],
  ['admin members list', [], 'group'],
  ['admin members list', [], 'role'],
  ['admin members set', ['Talks', '--role', 'Editor'], 'person'],
  ['admin users list', [], 'group'],
  ['admin users groups', ['ada'], 'add'],
  ['admin users groups', ['ada'], 'remove'],
  ['admin users create', ['--first', 'A', '--last', 'B'], 'email'],
  ['admin users create', ['--email', 'a@b.example', '--first', 'A', '--last', 'B'], 'group'],
  ['admin users edit', ['ada'], 'unique-id'],
  ['admin users delete', ['ada'], 'save'],
  ['admin roles edit', ['Cutter'], 'name'],
  ['admin roles edit', ['Cutter'], 'add'],
  ['admin roles create', ['Cutter'], 'permissions'],
  ['admin log', [], 'csv'],
  ['admin tags merge', ['optic'], 'into'],
  ['access explain', ['Talks'], 'group'],
  ['library list', [], 'collection'],
  ['library list', [], 'tag'],
  ['library export', ['--out', 'a.csv'], 'collection'],
  ['edit', ['--title', 'Talk'], 'collection'],
  ['edit', ['7'], 'move-to'],
  ['describe', ['--pattern', '{title}', '--title', '{title}'], 'tag'],
  ['collections create', ['Talks'], 'in'],
  ['collections move', ['Talks'], 'to'],
  ['upload', ['a.wav'], 'collection'],
  ['queue retry', ['--batch', 'b'], 'collection'],
  ['watch edit', ['.'], 'collection'],
  ['queue list', [], 'batch'],
];

describe('an empty operand', () => {
  it.each(OPERANDS)('is refused with a sentence: %s %j', (name, operands, sentence) => {
    const refused = refusal([...name.split(' '), ...operands]);
    expect(refused?.message).toContain(sentence);
    expect(refused?.topic).toBe(name);
  });

  it('is accepted as the text of an export, which then contains all items', () => {
    expect(refusal(['library', 'export', '', '--out', 'a.csv'])).toBeNull();
  });
});

describe('an empty value', () => {
  it.each(OPTIONS)('of an option that names something is refused: %s %j --%s', (name, rest, option) => {
    for (const value of ['', ' ']) {
      expect(refusal([...name.split(' '), ...rest, `--${option}`, value])?.message).toBe(
        `Enter a value for --${option}.`,
      );
    }
  });

  it('is refused for every option whose value is a collection, an item, a user, a group or a role', () => {
    for (const { name, options } of COMMANDS) {
      for (const [option, { value }] of Object.entries(options)) {
        if (!['COLLECTION', 'ITEM', 'PERSON', 'GROUP', 'ROLE'].includes(value ?? '')) continue;
        expect(refusal([...name.split(' '), `--${option}=`])?.message).toBe(`Enter a value for --${option}.`);
      }
    }
  });

  it('is accepted for texts, which it empties', () => {
    expect(refusal(['edit', '7', '--description', ''])).toBeNull();
    expect(refusal(['edit', '--query', '', '--title', 'Talk'])).toBeNull();
  });
});

describe('a text for administrators', () => {
  const long = 'n'.repeat(MAX_ADMIN_LINE + 1);

  it.each([
    ['A name', ['admin', 'groups', 'create', long]],
    ['A name', ['admin', 'tags', 'rename', 'optics', long]],
    ['A name', ['admin', 'roles', 'create', long, '--permissions', 'media-read']],
    ['--name', ['admin', 'roles', 'edit', 'Cutter', '--name', long]],
    ['--unique-id', ['admin', 'users', 'edit', 'ada', '--unique-id', long]],
    ['--first', ['admin', 'users', 'create', '--email', 'a@b.example', '--first', long, '--last', 'B']],
  ])('of more characters than a library stores is refused before a request: %s', (subject, args) => {
    const sentence = `${subject} has at most ${MAX_ADMIN_LINE} characters. This one has ${long.length}.`;
    expect(refusal(args)?.message).toBe(sentence);
    expect(refusal(args.map((each) => (each === long ? long.slice(1) : each)))).toBeNull();
  });

  it('that is searched has a limit of its own', () => {
    const text = 'n'.repeat(MAX_ADMIN_SEARCH);
    expect(refusal(['admin', 'users', 'list', '--text', text])).toBeNull();
    expect(refusal(['admin', 'users', 'list', '--text', `${text}n`])?.message).toContain(`${MAX_ADMIN_SEARCH}`);
  });

  it('with only commas names nothing, and is refused', () => {
    expect(refusal(['admin', 'roles', 'create', 'Cutter', '--permissions', ' , '])?.message).toBe(
      'Enter at least one permission.',
    );
    expect(refusal(['admin', 'users', 'groups', 'ada', '--add', ','])?.message).toBe('Enter at least one group.');
  });
});
