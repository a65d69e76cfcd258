// The days without publication: changes of the user, and of other screens and programs at the same time.
import { beforeEach, describe, expect, it } from 'vitest';
import {
  currentDaysOff,
  dropTypedDays,
  saveDaysOff,
  typeDaysOff,
} from '../../../../../../renderer/features/common/state/days-off-store.ts';
import { useMessages } from '../../../../../../renderer/features/common/state/messages-store.ts';
import { newSeriesDraft, readSeriesDraft } from '../../../../../../renderer/features/common/state/series-draft.ts';
import { takeSettings, useSettings } from '../../../../../../renderer/features/common/state/settings-store.ts';
import { DEFAULT_SETTINGS } from '../../../../../../shared/model/default-settings.ts';
import { HeldBridge } from '../../../../../helpers/desktop/held-bridge.ts';

const [MAY, JUNE, JULY] = ['2035-05-01', '2035-06-01', '2035-07-01'] as const;
const settings = (...days: string[]) => ({ ...DEFAULT_SETTINGS, daysWithoutPublication: days });
const stored = () => useSettings.getState().settings?.daysWithoutPublication;

let bridge: HeldBridge;
beforeEach(() => {
  bridge = new HeldBridge();
  useMessages.setState({ messages: [] });
  dropTypedDays();
  takeSettings(settings(MAY));
});

/** Takes the next change of the settings, and answers it with them. */
async function saved(): Promise<unknown> {
  const { input, answer } = bridge.take('settings.set');
  await answer({ ...DEFAULT_SETTINGS, ...input.patch });
  return input.patch;
}

describe('the days without publication', () => {
  it('are those of the profile, also after another screen changed them, and leaving the field stores nothing', async () => {
    expect(currentDaysOff()).toEqual({ text: MAY, read: { days: [MAY] } });
    takeSettings(settings(MAY, JUNE));
    expect(currentDaysOff()).toEqual({ text: `${MAY}\n${JUNE}`, read: { days: [MAY, JUNE] } });
    await saveDaysOff();
    expect(bridge.waiting).toEqual([]);
  });

  it('are stored with the days that another screen stored or removed while the user typed', async () => {
    takeSettings(settings(MAY, JUNE));
    typeDaysOff(`${MAY}\n${JUNE}\n2035-09-01`);
    takeSettings(settings(JUNE, JULY));
    expect(currentDaysOff()?.read).toEqual({ days: [JUNE, JULY, '2035-09-01'] });
    void saveDaysOff();
    expect(await saved()).toEqual({ daysWithoutPublication: [JUNE, JULY, '2035-09-01'] });
    expect(currentDaysOff()?.text).toBe(`${JUNE}\n${JULY}\n2035-09-01`);
  });

  it('are stored as typed last when the user types on before the answer', async () => {
    typeDaysOff(`${MAY}\n${JUNE}`);
    void saveDaysOff();
    typeDaysOff(MAY);
    void saveDaysOff();
    await saved();
    expect(await saved()).toEqual({ daysWithoutPublication: [MAY] });
    expect([stored(), currentDaysOff()?.text]).toEqual([[MAY], MAY]);
  });

  it('keep the typed text when they can’t be stored', async () => {
    typeDaysOff(`${MAY}\n${JUNE}`);
    void saveDaysOff();
    await bridge.take('settings.set').refuse('profile.disk-full');
    expect(currentDaysOff()).toEqual({ text: `${MAY}\n${JUNE}`, read: { days: [MAY, JUNE] } });
    expect(useMessages.getState().messages).toHaveLength(1);
    void saveDaysOff();
    expect(await saved()).toEqual({ daysWithoutPublication: [MAY, JUNE] });
  });

  it('are not stored while a line is no day, and dropped when the field is closed', async () => {
    typeDaysOff(`${MAY}\nMay`);
    await saveDaysOff();
    expect(bridge.waiting).toEqual([]);
    expect(currentDaysOff()?.read).toEqual({ problem: { kind: 'no-day', line: 2, text: 'May' } });
    dropTypedDays();
    expect(currentDaysOff()?.text).toBe(MAY);
  });
});

it('a series can’t be planned before the days without publication are known', () => {
  const draft = newSeriesDraft(0);
  expect(readSeriesDraft(draft, null)).toEqual({ wrong: 'skipped' });
  expect(readSeriesDraft(draft, currentDaysOff())).toMatchObject({ series: { skipped: [MAY] } });
});
