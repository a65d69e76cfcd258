import type { AccessEffects } from '../../../../shared/contract/admin/access.ts';
import { permissionNames } from '../../../kit/text/permission-texts.ts';
import styles from './access.module.css';
import { texts } from './texts.ts';

type Effect = AccessEffects['effects'][number];
type Change = 'gain' | 'lose';

/** Says what a planned change means for people: who gains and who loses which permissions. */
export function EffectLines({ effects: { effects, isPublic } }: { effects: AccessEffects }) {
  const lines = [...together(effects, 'gain'), ...together(effects, 'lose')];
  return (
    <ul className={styles.lines}>
      {lines.length === 0 && !isPublic ? <li>{texts.effects.none}</li> : null}
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
      {isPublic ? <li>{texts.effects.visitors}</li> : null}
    </ul>
  );
}

/** Returns one sentence for all permissions that the same people gain or lose. */
function together(effects: readonly Effect[], change: Change): string[] {
  const by = new Map<string, { names: string[]; effect: Effect }>();
  for (const effect of effects) {
    if (effect[change] === 0) continue;
    const key = JSON.stringify([effect[change], effect[`${change}Names`]]);
    const known = by.get(key);
    if (known === undefined) by.set(key, { names: [effect.permission], effect });
    else known.names.push(effect.permission);
  }
  return [...by.values()].map(({ names, effect }) =>
    texts.effects[change](permissionNames(names), effect[change], effect[`${change}Names`]),
  );
}
