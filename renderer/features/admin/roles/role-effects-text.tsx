import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { EffectLines } from '../../common/access/effect-lines.tsx';
import adminStyles from '../admin.module.css';
import { texts } from './texts.ts';
import type { RoleEffects } from './use-role-effects.ts';

/** What other permissions of a role mean for people, or why that isn't known yet. */
export function RoleEffectsText({ answer: { effects, error, load } }: { answer: RoleEffects }) {
  if (error !== null) return <InlineError error={error} onRetry={load} />;
  if (effects === null) return <p className={adminStyles.note}>{texts.checking}</p>;
  return <EffectLines effects={effects} />;
}
