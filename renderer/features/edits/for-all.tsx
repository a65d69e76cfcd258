import { Checkbox } from '../../kit/components/forms/choice.tsx';
import { openSites, siteOf, useApp } from '../common/state/app-store.ts';
import { useDecision } from './state/decide-store.ts';
import { texts } from './texts.ts';

const words = texts.decide;

interface ForAllProps {
  siteId: string;
  /** Names the number of edits. */
  question: (count: number) => string;
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
}

/**
 * Offers the same answer for all edits of the account with the same question; renders nothing when there is only one such edit.
 */
export function ForAll({ siteId, question, isSelected, onChange }: ForAllProps) {
  const count = useDecision(({ sameIds }) => sameIds.length);
  const site = useApp((state) => (openSites(state.sites).length > 1 ? siteOf(state, siteId) : null));
  if (count < 2) return null;
  return (
    <Checkbox isSelected={isSelected} onChange={onChange}>
      {site === null ? question(count) : words.inAccount(question(count), site.accountName ?? site.displayName)}
    </Checkbox>
  );
}
