// The forms for several items that were filled in and not applied.
import { beforeEach, expect, it } from 'vitest';
import { useApp } from '../../../../../../../renderer/features/common/state/app-store.ts';
import { useMessages } from '../../../../../../../renderer/features/common/state/messages-store.ts';
import {
  type ChangeDraft,
  EMPTY_CHANGE,
  readDraftChange,
} from '../../../../../../../renderer/features/library/state/selection/change-draft.ts';
import {
  followSelection,
  forgetApplied,
  forgetFormsOf,
  keepForm,
  keptForm,
  leaveForm,
} from '../../../../../../../renderer/features/library/state/selection/kept-forms.ts';

const items = (...ids: string[]) => ({ siteId: 's', ids });
const titled = (text: string): ChangeDraft => ({ ...EMPTY_CHANGE, title: { ...EMPTY_CHANGE.title, on: true, text } });
const target = (...ids: string[]) => ({ selection: items(...ids), count: ids.length, title: null });
const messages = () => useMessages.getState().messages.map(({ text }) => text);

beforeEach(() => {
  forgetFormsOf('s');
  useMessages.setState({ messages: [] });
  useApp.setState({ view: 'library' });
});

it('a form is kept for its items while other items have forms, in whatever order they are selected again', () => {
  const form = titled('Optics');
  keepForm(items('1', '2', '3'), form);
  keepForm(items('4', '5'), titled('Waves'));
  expect(keptForm(items('3', '1', '2'))).toBe(form);
  expect(keptForm(items('1', '2'))).toBeNull();
});

it('an empty form that reaches the items by selecting one more of them does not replace theirs', () => {
  const form = titled('Optics');
  keepForm(items('1', '2', '3'), form);
  expect(followSelection(items('1', '2'), items('1', '2', '3'), EMPTY_CHANGE)).toBe(form);
  expect(keptForm(items('1', '2', '3'))).toBe(form);
});

it('a form moves along when more items are selected, and stays with its items when the new ones have their own', () => {
  const [form, other] = [titled('Optics'), titled('Waves')];
  keepForm(items('1', '2'), form);
  expect(followSelection(items('1', '2'), items('1', '2', '3'), form)).toBe(form);
  expect([keptForm(items('1', '2')), keptForm(items('1', '2', '3'))]).toEqual([null, form]);
  keepForm(items('4', '5'), other);
  expect(followSelection(items('1', '2', '3'), items('4', '5'), form)).toBe(other);
  expect(keptForm(items('1', '2', '3'))).toBe(form);
});

it('a form moves along when an item is taken away, and not to other items', () => {
  const form = titled('Optics');
  keepForm(items('1', '2', '3'), form);
  expect(followSelection(items('1', '2', '3'), items('1', '3'), form)).toBe(form);
  expect([keptForm(items('1', '2', '3')), messages()]).toEqual([null, []]);
  expect(followSelection(items('1', '3'), items('7', '8'), form)).toBe(EMPTY_CHANGE);
  expect([keptForm(items('1', '3')), keptForm(items('7', '8'))]).toEqual([form, null]);
  expect(messages()).toEqual(['Your changes of 2 items aren’t applied.']);
});

it('a form is removed when it is cleared, or when its change or a deletion was applied to its items; others stay', () => {
  const form = titled('Optics');
  for (const ids of ['12', '34', '56', '78']) keepForm(items(...ids), form);
  keepForm(items('3', '4'), EMPTY_CHANGE);
  forgetApplied(items('1', '2'), readDraftChange(form).change);
  forgetApplied(items('5', '6'), { delete: true });
  forgetApplied(items('7', '8'), readDraftChange(titled('Waves')).change);
  forgetApplied(items('9', '7'), readDraftChange(form).change);
  expect(['12', '34', '56', '78'].map((ids) => keptForm(items(...ids)))).toEqual([null, null, null, form]);
});

it('a message says that the form is kept when its items are no longer selected, and none about an empty form', () => {
  leaveForm(target('1', '2'));
  expect(messages()).toEqual([]);
  keepForm(items('1', '2'), titled('Optics'));
  leaveForm(target('1', '2'));
  expect(messages()).toEqual(['Your changes of 2 items aren’t applied.']);
});
