import { useEffect, useState } from 'react';
import { chordText } from '../../features/common/commands/chords.ts';
import { loadAbout, openPanel, useApp } from '../../features/common/state/app-store.ts';
import { ONE_ITEM_COMMANDS } from '../../features/library/commands/one-item-commands.ts';
import { modKey } from '../../kit/bridge/bridge.ts';
import { Button } from '../../kit/components/button.tsx';
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
        {[everywhere(mod), ...texts.shortcuts.groups(mod), items(mod)].map(([title, keys]) => (
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

/** The keys for the current item of the list, from the table of its commands. */
function items(mod: string): Group {
  const keyed = ONE_ITEM_COMMANDS.flatMap(({ chord, label }) => (chord === undefined ? [] : [{ chord, label }]));
  return [
    texts.shortcuts.items,
    keyed.map(({ chord, label }) => [chordText(chord, mod), label.replace(/…$/, '')] as [string, string]),
  ];
}

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
  const about = useApp((state) => state.about);
  useEffect(() => {
    if (isOpen) void loadAbout();
  }, [isOpen]);
  if (info === null) return null;
  return (
    <Dialog title={texts.about.title} isOpen={isOpen} onClose={() => openPanel(null)} width={560}>
      <div className={styles.about}>
        <BrandMark size={44} />
        <dl className={styles.facts} data-selectable>
          <dt>{texts.about.version}</dt>
          <dd>{info.version}</dd>
          <dt>{texts.about.electron}</dt>
          <dd>{about?.electron}</dd>
          <dt>{texts.about.node}</dt>
          <dd>{about?.node}</dd>
          <dt>{texts.about.platform}</dt>
          <dd>{info.platform}</dd>
          <dt>{texts.about.profile}</dt>
          <dd>{info.profileDir}</dd>
          <dt>{texts.about.signIn}</dt>
          <dd>{texts.about.kept[info.keychain.kind]}</dd>
        </dl>
      </div>
      {about === null ? null : <Licenses text={about.notices} />}
    </Dialog>
  );
}

/** The licenses of the software that is part of the app. They are long: shown when someone asks. */
function Licenses({ text }: { text: string | null }) {
  const [isShown, setShown] = useState(false);
  const { about } = texts;
  return (
    <section className={styles.licenses} aria-label={about.notices}>
      <h3 className={styles.group}>{about.notices}</h3>
      {!isShown ? (
        <Button onPress={() => setShown(true)}>{about.showNotices}</Button>
      ) : text === null ? (
        <p>{about.noNotices}</p>
      ) : (
        // The keyboard scrolls it.
        <div
          className={styles.notices}
          {...{ role: 'group', 'aria-label': about.notices, tabIndex: 0 }}
          data-selectable
        >
          {text}
        </div>
      )}
    </section>
  );
}
