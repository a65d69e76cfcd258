import { describe, expect, it } from 'vitest';
import { dateFormatOf, writeInFormat, writtenFormatOf } from '../../../../shared/model/recipes/date-format.ts';
import { composeTitle, titleTemplateProblem } from '../../../../shared/model/title-template.ts';

const written = (format: string, value = '2027-05-05') => {
  const parts = writtenFormatOf(format);
  return parts === null ? null : writeInFormat(parts, value);
};

describe('a format with names', () => {
  it.each([
    ['D MMMM YYYY', '5 May 2027'],
    ['dddd, D MMMM YYYY', 'Wednesday, 5 May 2027'],
    ['ddd D MMM YYYY', 'Wed 5 May 2027'],
    ['MMMM D, YYYY', 'May 5, 2027'],
    ['YYYYMMDD', '20270505'],
    ['MMMDDYYYY', 'May052027'],
    ['DD.MM.YYYY (dddd)', '05.05.2027 (Wednesday)'],
  ])('writes a date: %s', (format, text) => expect(written(format)).toBe(text));

  it('writes the names of other months and days, with a time if the format has one', () => {
    expect(written('ddd D MMM YYYY HH:mm', '2027-11-28T14:02:00')).toBe('Sun 28 Nov 2027 14:02');
    expect(written('D MMMM YYYY HH:mm', '2027-11-28')).toBeNull();
  });

  it.each(['MMMM', 'D MMMM', 'MM MMMM D YYYY', 'D DD MM YYYY', 'MMMMM D YYYY', 'D M YYYY', '\u0000 D MM YYYY'])(
    'is refused without a year, month and day, or with one of them twice: %j',
    (format) => expect(written(format)).toBeNull(),
  );

  it('can’t read names', () => expect(dateFormatOf('D MMMM YYYY')).toBeNull());
});

describe('the day in a title template', () => {
  const facts = { fileName: 'a.wav', folderName: 'in', number: 1, date: '2027-05-05', contents: null };

  it('has a format with names', () => {
    const template = '{name}, {date:dddd D MMMM YYYY}';
    expect(titleTemplateProblem(template)).toBeNull();
    expect(composeTitle(template, facts).title).toBe('a, Wednesday 5 May 2027');
  });

  it.each([
    ['{date:MMMM}', 'isn’t a date format'],
    ['{date:YYYY-MM-DD HH:mm}', 'can’t have a time'],
    ['{name:YYYY-MM-DD}', 'isn’t a title token'],
  ])('is refused with another format: %s', (template, reason) => {
    expect(titleTemplateProblem(template)).toContain(reason);
  });
});
