import { chordText } from '../../features/common/commands/chords.ts';
import { openPanel, useApp } from '../../features/common/state/app-store.ts';
import { modKey } from '../../kit/bridge/bridge.ts';
import { BrandMark } from '../../kit/components/glyph.tsx';
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

export function AboutDialog() {
  const isOpen = useApp((state) => state.panel === 'about');
  const info = useApp((state) => state.info);
  if (info === null) return null;
  return (
    <Dialog title={texts.about.title} isOpen={isOpen} onClose={() => openPanel(null)} width={420}>
      <div className={styles.about}>
        <BrandMark size={44} />
        <dl className={styles.facts} data-selectable>
          <dt>{texts.about.version}</dt>
          <dd>{info.version}</dd>
          <dt>{texts.about.platform}</dt>
          <dd>{info.platform}</dd>
          <dt>{texts.about.profile}</dt>
          <dd>{info.profileDir}</dd>
          <dt>{texts.about.signIn}</dt>
          <dd>{texts.about.kept[info.keychain.kind]}</dd>
        </dl>
      </div>
    </Dialog>
  );
}
