import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components';
import { DEFAULT_RULE_ID } from '../../../../shared/model/watch/apply-rules.ts';
import { classes } from '../../../kit/components/button.tsx';
import { commandItem, OverflowToolbar } from '../../../kit/components/toolbar/overflow-toolbar.tsx';
import { announce } from '../../common/state/messages-store.ts';
import { addRule, changeRules, selectRule } from '../state/folder-draft.ts';
import { moveRule, removeRule, type WatchRule } from '../state/rules-draft.ts';
import { texts } from '../texts.ts';
import styles from './editor.module.css';
import { texts as editor } from './texts.ts';

interface RuleListProps {
  rules: readonly WatchRule[];
  /** The selected rule. */
  ruleId: string;
}

/**
 * The rules in their order; the rule for the remaining files always comes last. Arrow keys choose a rule, Alt with an arrow key
 * moves it, Delete removes it.
 */
export function RuleList({ rules, ruleId }: RuleListProps) {
  const at = rules.findIndex(({ id }) => id === ruleId);
  const move = (by: number) => {
    const rule = rules[at];
    const to = at + by;
    if (rule === undefined) announce(editor.lastFixed);
    else if (to < 0) announce(editor.first);
    else if (to >= rules.length) announce(editor.last);
    else {
      changeRules((all) => moveRule(all, rule.id, by));
      announce(editor.moved(rule.name, to + 1, rules.length));
    }
  };
  const remove = () => {
    const rule = rules[at];
    if (rule === undefined) return;
    selectRule(rules[at + 1]?.id ?? rules[at - 1]?.id ?? DEFAULT_RULE_ID);
    changeRules((all) => removeRule(all, rule.id));
    announce(editor.removed(rule.name));
  };
  const onKeyDownCapture = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (event.altKey && by !== 0) move(by);
    else if (event.key === 'Delete' || event.key === 'Backspace') remove();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const icon = { size: 14, 'aria-hidden': true } as const;
  return (
    <div className={styles.ruleList}>
      <div className={styles.ruleBar}>
        <OverflowToolbar
          label={editor.region}
          items={[
            commandItem(
              { id: 'add', label: editor.add, icon: <Plus {...icon} />, onAction: addRule },
              { variant: 'plain' },
            ),
            commandItem(
              { id: 'up', label: editor.up, icon: <ArrowUp {...icon} />, onAction: () => move(-1) },
              { iconOnly: true },
            ),
            commandItem(
              { id: 'down', label: editor.down, icon: <ArrowDown {...icon} />, onAction: () => move(1) },
              { iconOnly: true },
            ),
            commandItem(
              { id: 'remove', label: editor.remove, icon: <Trash2 {...icon} />, onAction: remove },
              { iconOnly: true },
            ),
          ]}
        />
      </div>
      <div onKeyDownCapture={onKeyDownCapture}>
        <ListBox
          aria-label={editor.list}
          className={styles.ruleItems ?? ''}
          selectionMode="single"
          selectionBehavior="replace"
          disallowEmptySelection
          selectedKeys={[ruleId]}
          onSelectionChange={(keys) => {
            const [id] = keys;
            if (keys !== 'all' && typeof id === 'string') selectRule(id);
          }}
        >
          {[
            ...rules.map((rule, index) => (
              <ListBoxItem
                key={rule.id}
                id={rule.id}
                textValue={rule.name}
                className={classes(styles.rule, !rule.enabled && styles.off)}
              >
                <span className={styles.ruleNumber}>{index + 1}</span>
                <span className={styles.ruleName}>{rule.name}</span>
                <span className={styles.ruleNote}>{noteOf(rule)}</span>
              </ListBoxItem>
            )),
            <ListBoxItem
              key={DEFAULT_RULE_ID}
              id={DEFAULT_RULE_ID}
              textValue={texts.defaultRule}
              className={styles.rule ?? ''}
            >
              <span className={styles.ruleNumber} aria-hidden>
                ∗
              </span>
              <span className={styles.ruleName}>{texts.defaultRule}</span>
              <span className={styles.ruleNote}>{editor.uploads}</span>
            </ListBoxItem>,
          ]}
        </ListBox>
      </div>
      <p className={styles.order}>{editor.order}</p>
    </div>
  );
}

function noteOf({ enabled, action }: WatchRule): string {
  if (!enabled) return editor.off;
  return action.kind === 'skip' ? editor.skips : editor.uploads;
}
