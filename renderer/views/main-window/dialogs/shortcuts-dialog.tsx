import { modKey } from '../../../bridge/bridge.ts';
import { Dialog } from '../../../components/overlay/dialog.tsx';
import { openPanel, useApp } from '../../../stores/app/app-store.ts';
import styles from './dialogs.module.css';

/** The list of keyboard shortcuts. */
export function ShortcutsDialog() {
  const isOpen = useApp((state) => state.panel === 'shortcuts');
  const mod = modKey();
  const groups: [title: string, keys: [keys: string, meaning: string][]][] = [
    [
      'Everywhere',
      [
        [`${mod}K`, 'Commands and collections'],
        [`${mod}F or /`, 'Search media'],
        [`${mod}1, ${mod}2, ${mod}3`, 'Library, uploads, receipts'],
        [`${mod},`, 'Settings'],
        [`${mod}B, ${mod}I`, 'Show or hide sidebar, inspector'],
        [`${mod}+, ${mod}−, ${mod}0`, 'Zoom in, out, actual size'],
        [`${mod}O`, 'Add files'],
        [`${mod}Shift+O`, 'Add a folder'],
        [`${mod}R or F5`, 'Refresh'],
      ],
    ],
    [
      'Collections',
      [
        ['↑ ↓ Home End', 'Move'],
        ['→ ←', 'Open, close'],
        ['Enter', 'Show its media'],
        ['Letters', 'Go to a name'],
      ],
    ],
    [
      'Lists',
      [
        ['↑ ↓ Page Home End', 'Move and select'],
        ['Shift + move', 'Select a range'],
        [`${mod}A`, 'Select all'],
        ['Space', 'Add to the selection'],
        ['Alt + ↑ ↓', 'Move uploads in the queue'],
        ['Delete', 'Cancel the selected uploads'],
        [`${mod}Z`, 'Undo a cancel'],
        ['Enter', 'Edit in the inspector'],
        [`${mod}S`, 'Save what was edited'],
      ],
    ],
  ];
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={() => openPanel(null)} width={640}>
      <div className={styles.columns}>
        {groups.map(([title, keys]) => (
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
