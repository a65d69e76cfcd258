import { describe, expect, it } from 'vitest';
import { renderTitle, splitFileName } from '../../../shared/model/title-template.ts';

const facts = { fileName: 'Lecture 07.final.mp4', folderName: 'Physics', number: 7, date: '2026-11-21' };

describe('title template', () => {
  it.each([
    ['{name}', 'Lecture 07.final'],
    ['{file}', 'Lecture 07.final.mp4'],
    ['{folder}: {name}', 'Physics: Lecture 07.final'],
    ['{n}. {name}', '7. Lecture 07.final'],
    ['{nnn}', '007'],
    ['{date} ({ext})', '2026-11-21 (mp4)'],
    ['{unknown} {name}', '{unknown} Lecture 07.final'],
  ])('%s gives %s', (template, title) => {
    expect(renderTitle(template, facts)).toBe(title);
  });

  it('is never empty', () => {
    expect(renderTitle('   ', facts)).toBe('Lecture 07.final');
    expect(renderTitle('{ext}', { ...facts, fileName: 'noext' })).toBe('noext');
  });

  it('composes letters, so that the same name from two file systems gives one title', () => {
    expect(renderTitle('{name}', { ...facts, fileName: 'Mu\u0308ller.wav' })).toBe('M\u00fcller');
  });

  it('takes out line breaks, control characters and text direction tricks', () => {
    expect(renderTitle('{name}', { ...facts, fileName: 'a\r\nb\u0000c\u202ed.wav' })).toBe('a b c d');
  });

  it('cuts between characters, never inside one', () => {
    const title = renderTitle('{name}', { ...facts, fileName: `${'🎙'.repeat(600)}.wav` });
    expect(Array.from(title)).toHaveLength(500);
    expect(title.endsWith('🎙')).toBe(true);
  });

  it('knows a name from its extension', () => {
    expect(splitFileName('.hidden')).toEqual({ stem: '.hidden', extension: '' });
    expect(splitFileName('a.tar.gz')).toEqual({ stem: 'a.tar', extension: 'gz' });
  });
});
