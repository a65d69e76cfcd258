import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANNOUNCE_EVERY_MS, createAnnouncer } from '../../../../renderer/shell/announcer.ts';

function announcerAt(start = 0) {
  let time = start;
  let timers: { at: number; work: () => void }[] = [];
  const said: { at: number; text: string }[] = [];
  const announce = createAnnouncer({
    say: (text) => said.push({ at: time, text }),
    now: () => time,
    later: (work, ms) => timers.push({ at: time + ms, work }),
  });
  const pass = (ms: number) => {
    const end = time + ms;
    for (;;) {
      const due = timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
      if (due === undefined) break;
      timers = timers.filter((each) => each !== due);
      time = due.at;
      due.work();
    }
    time = end;
  };
  return { announce, pass, said, texts: () => said.map(({ text }) => text) };
}

describe('announcements for screen readers', () => {
  it('are made immediately when nothing was announced before', () => {
    const { announce, texts } = announcerAt();
    announce('Saved.');
    expect(texts()).toEqual(['Saved.']);
  });

  it('that follow within two seconds are made together after these, each sentence once', () => {
    const { announce, pass, texts } = announcerAt();
    announce('One.');
    announce('Two.');
    announce('Three.');
    announce('Two.');
    pass(ANNOUNCE_EVERY_MS - 1);
    expect(texts()).toEqual(['One.']);
    pass(1);
    expect(texts()).toEqual(['One.', 'Three. Two.']);
  });

  it('differ in white space when a sentence is announced twice, so that it is read again', () => {
    const { announce, pass, texts } = announcerAt();
    announce('Saved.');
    pass(ANNOUNCE_EVERY_MS);
    announce('Saved.');
    const [first, second] = texts();
    expect(second?.trim()).toBe(first);
    expect(second).not.toBe(first);
  });

  it('are the latest four when very many arrive together', () => {
    const { announce, pass, texts } = announcerAt();
    for (let index = 0; index < 100; index += 1) announce(`${index}.`);
    pass(ANNOUNCE_EVERY_MS);
    expect(texts()).toEqual(['0.', '96. 97. 98. 99.']);
  });

  it('are never closer than two seconds, and the last sentence is always announced', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 40 }), (pauses) => {
        const { announce, pass, said } = announcerAt(12_345);
        pauses.forEach((pause, index) => {
          pass(pause);
          announce(`${index}.`);
        });
        pass(ANNOUNCE_EVERY_MS);
        for (let index = 1; index < said.length; index += 1) {
          expect((said[index]?.at ?? 0) - (said[index - 1]?.at ?? 0)).toBeGreaterThanOrEqual(ANNOUNCE_EVERY_MS);
        }
        expect(
          said
            .at(-1)
            ?.text.trim()
            .endsWith(`${pauses.length - 1}.`),
        ).toBe(true);
      }),
    );
  });
});
