import { describe, expect, it } from 'vitest';
import { renderTitle, splitFileName, titleTemplateProblem } from '../../../shared/model/title-template.ts';

const facts = { fileName: 'Lecture 07.final.mp4', folderName: 'Physics', number: 7, date: '2026-11-21' };

describe('a title template', () => {
  it.each([
    ['{name}', 'Lecture 07.final'],
    ['{file}', 'Lecture 07.final.mp4'],
    ['{folder}: {name}', 'Physics: Lecture 07.final'],
    ['{n}. {name}', '7. Lecture 07.final'],
    ['{nnn}', '007'],
    ['{date} ({ext})', '2026-11-21 (mp4)'],
    ['{{draft}} {name}', '{draft} Lecture 07.final'],
    ['{{{name}}}', '{Lecture 07.final}'],
  ])('makes of %s the title %s', (template, title) => {
    expect(renderTitle(template, facts)).toBe(title);
  });

  it.each(['{nme}', '{Name}', '{}', '{ name }', 'a {__proto__} b', '{name', 'name}', '{{name}', '{na{n}me}'])(
    'is rejected with the list of known tokens: %s',
    (template) => {
      expect(titleTemplateProblem(template)).toContain('{name}, {file}, {ext}, {folder}, {n}, {nn}, {nnn}, {date}');
    },
  );

  it.each(['', '{name}', '{nnnnn}', '{{', '}}', '{{name}}', '{{{name}}}'])('is accepted: %s', (template) => {
    expect(titleTemplateProblem(template)).toBeNull();
  });

  it('never produces an empty title', () => {
    expect(renderTitle('   ', facts)).toBe('Lecture 07.final');
    expect(renderTitle('{ext}', { ...facts, fileName: 'noext' })).toBe('noext');
  });

  it('normalizes letters, so that the same name from two file systems gives one title', () => {
    expect(renderTitle('{name}', { ...facts, fileName: 'Mu\u0308ller.wav' })).toBe('M\u00fcller');
  });

  it('removes line breaks, control characters and marks of text direction', () => {
    expect(renderTitle('{name}', { ...facts, fileName: 'a\r\nb\u0000c\u202ed.wav' })).toBe('a b c d');
  });

  it('truncates between characters, never inside one', () => {
    const title = renderTitle('{name}', { ...facts, fileName: `${'🎙'.repeat(600)}.wav` });
    expect(Array.from(title)).toHaveLength(500);
    expect(title.endsWith('🎙')).toBe(true);
  });

  it('separates a name from its extension', () => {
    expect(splitFileName('.hidden')).toEqual({ stem: '.hidden', extension: '' });
    expect(splitFileName('a.tar.gz')).toEqual({ stem: 'a.tar', extension: 'gz' });
  });
});
