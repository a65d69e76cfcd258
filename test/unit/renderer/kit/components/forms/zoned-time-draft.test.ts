import { describe, expect, it } from 'vitest';
import {
  draftOfTime,
  instantOfDraft,
  meaningsOfDraft,
} from '../../../../../../renderer/kit/components/forms/zoned-time-draft.ts';

const VIENNA = 'Europe/Vienna';
const at = (text: string) => Date.parse(text);

describe('a draft of a publish time', () => {
  it('keeps the instant of a local time that occurs twice, at the end of daylight saving time', () => {
    for (const instant of [at('2026-10-25T00:30Z'), at('2026-10-25T01:30Z'), at('2026-07-01T12:00Z')]) {
      expect(instantOfDraft(draftOfTime(instant, VIENNA))).toBe(instant);
    }
    expect(draftOfTime(at('2026-10-25T01:30Z'), VIENNA)).toMatchObject({ local: '2026-10-25T02:30', choice: 'later' });
  });

  it('has no instant for a local time that occurs twice until the user chooses the earlier or the later one', () => {
    const twice = { local: '2026-10-25T02:30', timeZone: VIENNA, choice: null };
    expect(instantOfDraft(twice)).toBeNull();
    expect(instantOfDraft({ ...twice, choice: 'earlier' })).toBe(at('2026-10-25T00:30Z'));
    expect(instantOfDraft({ ...twice, choice: 'later' })).toBe(at('2026-10-25T01:30Z'));
    expect(meaningsOfDraft(twice)?.kind).toBe('twice');
  });

  it('offers the times before and after a skipped hour, never the skipped time', () => {
    const skipped = { local: '2026-03-29T02:30', timeZone: VIENNA, choice: null };
    expect(instantOfDraft(skipped)).toBeNull();
    expect(meaningsOfDraft(skipped)).toEqual({
      kind: 'skipped',
      earlier: at('2026-03-29T00:30Z'),
      later: at('2026-03-29T01:30Z'),
    });
  });

  it('has no instant and no choice while the field is empty', () => {
    const empty = { local: '', timeZone: VIENNA, choice: null };
    expect(instantOfDraft(empty)).toBeNull();
    expect(meaningsOfDraft(empty)).toBeNull();
  });
});
