// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the samples are source code
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkTexts } from '../../../build/check-texts.ts';
import { textViolations } from '../../../build/checks/text-violations.ts';

const found = (source: string) => textViolations('renderer/features/a/view.tsx', source).map(({ text }) => text);

describe('the check of texts', () => {
  it.each([
    ['between tags', '<p>Nothing selected</p>', 'Nothing selected'],
    ['between tags, beside a value', '<p>{count} files</p>', 'files'],
    ['in a child expression', "<Button>{isBusy ? 'Saving…' : texts.save}</Button>", 'Saving…'],
    ['as a default value', "<h2>{item.title || 'Untitled'}</h2>", 'Untitled'],
    ['in a fragment', "<>{error ?? 'Failed'}</>", 'Failed'],
    ['in an attribute', '<Tab aria-label="Item" />', 'Item'],
    ['in an attribute that is an expression', "<Field placeholder={isEmpty ? 'Add a tag…' : ''} />", 'Add a tag…'],
    ['in a template of an attribute', '<Row title={`Open ${name}`} />', 'Open ${name}'],
    ['in a property of an object', "const menu = { id: 'files', label: 'Files' };", 'Files'],
    ['as a default value of a property', "function Dialog({ keep = 'Keep' }) {}", 'Keep'],
    ['in an announcement', "announce('Saved.');", 'Saved.'],
    ['in a message with a condition', "notify(isAll ? 'Deleted.' : texts.deleted);", 'Deleted.'],
    ['as a sentence in a function', "const title = () => 'No items match';", 'No items match'],
    ['as words in a template', 'const sentence = `${count} failed`;', '${count} failed'],
  ])('finds text %s', (_where, source, text) => {
    expect(
      found(`const view = () => { return 0; };\n${source.startsWith('<') ? `const a = ${source};` : source}`),
    ).toEqual([text]);
  });

  it.each([
    ['texts from a module', '<p title={texts.hint}>{texts.files(count)}</p>'],
    ['signs without letters', '<span aria-label="…"> · {a} › {b} </span>'],
    ['entities', '<p>&nbsp;›&nbsp;</p>'],
    ['names that are not shown', '<Tab id="details" className="tab wide" data-kind="Own limit" role="tab" />'],
    ['styles', '<div style={{ transform: `translate(0, ${top} px)` }} />'],
    ['errors for developers', "throw new Error('The page has no root.');"],
    ['the console', "console.warn('Collection not read', error);"],
    ['selectors', 'document.querySelector(`main [role=${role} ] grid`);'],
    ['imports', "import a from 'A strange name';"],
    ['types', "type A = 'Some text';"],
    ['keys of templates', 'const key = `loading:${id}`; const url = `https://${host}`;'],
    ['names of fields', "const places = { title: 'titles', text: 'main-text' };"],
    ['arguments of functions', "<p>{format(value, 'long')}</p>"],
  ])('accepts %s', (_what, source) => {
    expect(found(source.startsWith('<') ? `const a = ${source};` : source)).toEqual([]);
  });

  it('names the line of a text', () => {
    expect(textViolations('renderer/a.tsx', '\n\nconst a = <p>\n  Text\n</p>;')).toEqual([{ line: 3, text: 'Text' }]);
  });
});

describe('the check of all files', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'mediadesk-texts-'));
    for (const [path, source] of Object.entries({
      'renderer/features/a/view.tsx': 'export const A = () => <p>Hello</p>;',
      'renderer/features/a/texts.ts': "export const texts = { title: 'Hello there' };",
      'renderer/features/b/view.tsx': 'export const B = () => <p>{texts.title}</p>;',
      'renderer/kit/text/states.ts': "export const word = { label: 'Queued' };",
      'electron/main/menu.ts': "export const label = 'Add files';",
    })) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), source);
    }
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('covers the window, without its modules of texts', async () => {
    const { files, violations } = await checkTexts(root);
    expect(files).toBe(2);
    expect(violations).toEqual([{ file: 'renderer/features/a/view.tsx', line: 1, text: 'Hello' }]);
  });

  it('reports an exception that is not needed any more', async () => {
    const { violations, moved } = await checkTexts(root, ['renderer/features/a/', 'renderer/features/b/']);
    expect(violations).toEqual([]);
    expect(moved).toEqual(['renderer/features/b/']);
  });
});
