import { siteOf, useApp } from '../../features/common/state/app-store.ts';
import {
  confirmSignOut,
  type SignOutQuestion,
  staySignedIn,
  useSignOut,
} from '../../features/library/state/sign-out-store.ts';
import { ConfirmDialog } from '../../kit/components/overlay/dialog.tsx';
import { texts } from '../texts.ts';

const words = texts.signOut;

/** Lists the unsent and unsaved data of an account before a sign-out. */
export function SignOutDialog() {
  const question = useSignOut((state) => state.question);
  const site = useApp((state) => siteOf(state, question?.siteId ?? null));
  if (question === null) return null;
  return (
    <ConfirmDialog
      title={words.title(site?.accountName ?? site?.displayName ?? '')}
      text={sentences(question)}
      keep={words.stay}
      confirm={words.confirm}
      isOpen
      closesFirst={false}
      onConfirm={() => void confirmSignOut()}
      onClose={staySignedIn}
    />
  );
}

function sentences({ edits, uploads, unsaved }: SignOutQuestion): string[] {
  const editCount = sum(edits);
  const uploadCount = sum(uploads);
  return [
    ...(editCount > 0 ? [words.edits(editCount, parts(edits, words.editStates))] : []),
    ...(uploadCount > 0 ? [words.uploads(uploadCount, parts(uploads, words.uploadStates))] : []),
    ...(editCount + uploadCount > 0 ? [words.kept] : []),
    ...(unsaved > 0 ? [words.unsaved(unsaved)] : []),
  ];
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

/** Returns the states that occur with their counts, such as `2 waiting, 1 in conflict`. */
function parts<State extends string>(
  counts: Readonly<Record<State, number>>,
  named: Readonly<Record<State, (count: number) => string>>,
): string {
  const states = Object.keys(named) as State[];
  return states.flatMap((state) => (counts[state] > 0 ? [named[state](counts[state])] : [])).join(', ');
}
