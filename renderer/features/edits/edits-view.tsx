import { CheckCheck, ChevronLeft, Inbox, PencilLine } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '../../kit/components/button.tsx';
import { EmptyState } from '../../kit/components/status/empty-state.tsx';
import { ViewTabs } from '../common/view-tabs.tsx';
import { DecideDialog } from './decide-dialog.tsx';
import { groupName } from './edit-looks.ts';
import { EditRowList } from './edit-row-list.tsx';
import styles from './edits.module.css';
import { GroupList } from './group-list.tsx';
import { RestoreDialog } from './restore-dialog.tsx';
import { RowCommands } from './row-commands.tsx';
import { ReviseDialog, ValuesDialog } from './row-dialogs.tsx';
import {
  attentionTotal,
  EDITS_TABS,
  type EditsTab,
  openEdits,
  openEditsView,
  showGroup,
  useEdits,
} from './state/edits-store.ts';
import { texts } from './texts.ts';

/**
 * Lists all changes of items that were made on this computer: edits that need the user, unsent edits, and the history with its
 * undo.
 */
export function EditsView() {
  const tab = useEdits((state) => state.tab);
  const group = useEdits((state) => state.group);
  const entity = useEdits((state) => state.entity);
  // `startScreens` clears the history when another view opens. The clean-up of this effect can't do that: in development, React
  // mounts each view twice.
  useEffect(openEditsView, []);
  return (
    <main className={styles.view} aria-label={texts.title}>
      <div className={styles.toolbar}>
        <Heading />
        {group === null && entity === null ? <Tabs /> : null}
        <RowCommands />
      </div>
      <div className={styles.body}>
        {tab === 'history' && group === null && entity === null ? <GroupList /> : <EditRowList empty={<Empty />} />}
      </div>
      <DecideDialog />
      <RestoreDialog />
      <ReviseDialog />
      <ValuesDialog />
    </main>
  );
}

function Heading() {
  const group = useEdits((state) => state.group);
  const entity = useEdits((state) => state.entity);
  if (group === null && entity === null) return <h1 className={styles.title}>{texts.title}</h1>;
  const { label, of } =
    group === null ? { label: texts.historyOf, of: texts.one(entity?.name ?? '') } : groupName(group);
  // The list of groups stays loaded with its selection while a group is open.
  const back = () => (group === null ? openEdits('history') : showGroup(null));
  return (
    <>
      <Button icon={<ChevronLeft size={14} aria-hidden />} onPress={back}>
        {texts.back}
      </Button>
      <h1 className={styles.title}>
        {label} <span className={styles.of}>{of}</span>
      </h1>
    </>
  );
}

function Tabs() {
  const tab = useEdits((state) => state.tab);
  const totals = useEdits((state) => state.totals);
  const sent = useEdits((state) => state.sent);
  const countOf = { ...totals, attention: attentionTotal(totals), done: sent, history: null };
  const tabs = EDITS_TABS.map((id) => ({
    id,
    label: texts.tabs[id],
    count: countOf[id],
    tone: toneOf(id),
  }));
  return <ViewTabs className={styles.tabs} label={texts.tabs.label} tabs={tabs} selected={tab} onSelect={openEdits} />;
}

/** Returns the tone of a tab's number: the same as the states of its rows, see `EDIT_LOOKS`. */
function toneOf(tab: EditsTab): 'bad' | 'wait' | undefined {
  if (tab === 'pending' || tab === 'done') return undefined;
  return tab === 'held' ? 'wait' : 'bad';
}

/** Replaces an empty list of items. */
function Empty() {
  const tab = useEdits((state) => state.tab);
  const group = useEdits((state) => state.group);
  const entity = useEdits((state) => state.entity);
  const words = entity !== null ? texts.empty.entity : group === null ? texts.empty[tab] : texts.empty.group;
  const Icon = tab === 'history' || tab === 'done' ? PencilLine : tab === 'pending' ? CheckCheck : Inbox;
  return <EmptyState icon={Icon} title={words.title} text={words.text} />;
}
