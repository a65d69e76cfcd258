import { chordText } from '../../features/common/commands/chords.ts';
import { openPanel, useApp } from '../../features/common/state/app-store.ts';
import { modKey } from '../../kit/bridge/bridge.ts';
import { Dialog } from '../../kit/components/overlay/dialog.tsx';
import { SHORTCUT_COMMANDS } from '../commands/command-table.ts';
import { texts } from '../texts.ts';
import styles from './dialogs.module.css';

/** The list of keyboard shortcuts. */
export function ShortcutsDialog() {
  const isOpen = useApp((state) => state.panel === 'shortcuts');
  const mod = modKey();
  return (
    <Dialog title={texts.shortcuts.title} isOpen={isOpen} onClose={() => openPanel(null)} width={640} isText>
      <div className={styles.columns}>
        {[everywhere(mod), ...texts.shortcuts.groups(mod)].map(([title, keys]) => (
          <section key={title}>
            <h3 className={styles.group}>{title}</h3>
            <dl className={styles.keys}>
              {keys.map(([key, meaning]) => (
                <div key={key}>
                  <dt>{meaning}</dt>
                  <dd>{key}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

type Group = ReturnType<typeof texts.shortcuts.groups>[number];

/** The shortcuts of the whole window, from the table of commands. */
function everywhere(mod: string): Group {
  return [
    texts.shortcuts.everywhere,
    SHORTCUT_COMMANDS.map(({ chords = [], label }) => [
      chords.map((chord) => chordText(chord, mod)).join(texts.shortcuts.or),
      label.replace(/…$/, ''),
    ]),
  ];
}
