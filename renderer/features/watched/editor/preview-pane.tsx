import { FileSearch, Inbox } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { WatchPreview } from '../../../../shared/contract/watch.ts';
import { DEFAULT_RULE_ID } from '../../../../shared/model/watch/apply-rules.ts';
import { rulesProblems } from '../../../../shared/model/watch/rules-problems.ts';
import { classes } from '../../../kit/components/button.tsx';
import { Segments } from '../../../kit/components/forms/choice.tsx';
import { Cell } from '../../../kit/components/list/cell.tsx';
import { VirtualGrid } from '../../../kit/components/list/virtual-grid.tsx';
import { EmptyState, ErrorState } from '../../../kit/components/status/empty-state.tsx';
import { StateChip } from '../../../kit/components/status/state-chip.tsx';
import type { Selection } from '../../../kit/lists/selection.ts';
import { formatBytes } from '../../../kit/text/format.ts';
import type { StateLook } from '../../../kit/text/states.ts';
import { passedTexts, verdictText } from '../clause-text.ts';
import { selectRule } from '../state/folder-draft.ts';
import { retryPreview, usePreview, useSelectedFile } from '../state/rules-preview.ts';
import type { FolderDraft } from '../state/stored-draft.ts';
import styles from './editor.module.css';
import { texts } from './texts.ts';

type PreviewedFile = WatchPreview['files'][number];
type Kind = PreviewedFile['verdict']['kind'];

const ROW_HEIGHT = 72;
const words = texts.preview;

const LOOKS: Readonly<Record<Kind, StateLook>> = {
  upload: { word: words.uploads, icon: 'sending', tone: 'good' },
  wait: { word: words.waits, icon: 'waiting', tone: 'waiting' },
  skip: { word: words.skips, icon: 'skipped', tone: 'neutral' },
};

/** Captions and thumbnails are uploaded with their recording and not as files of their own. */
const ATTACHED: StateLook = { word: words.attached, icon: 'sending', tone: 'good' };

function lookOf({ kind, clause }: PreviewedFile['verdict']): StateLook {
  return clause.kind === 'attached' ? ATTACHED : LOOKS[kind];
}

/** Shows the result of the rules for each file that is in the folder now. Choosing a file shows its rule with the reason. */
export function PreviewPane({ draft }: { draft: FolderDraft }) {
  const preview = usePreview((state) => state.preview);
  const error = usePreview((state) => state.error);
  useEffect(() => () => useSelectedFile.setState({ path: null, verdict: null }), []);
  return (
    <section className={styles.preview} aria-label={words.region}>
      {preview === null ? (
        error === null ? (
          <p className={styles.quiet}>{words.loading}</p>
        ) : (
          <ErrorState title={words.failed} error={error} onRetry={retryPreview} />
        )
      ) : (
        <Previewed draft={draft} preview={preview} />
      )}
    </section>
  );
}

function Previewed({ draft, preview }: { draft: FolderDraft; preview: WatchPreview }) {
  const [kind, setKind] = useState<Kind | 'all'>('all');
  const isStale = usePreview((state) => state.isStale);
  const error = usePreview((state) => state.error);
  const { totals, isAll, files } = preview;
  const all = totals.upload.files + totals.wait.files + totals.skip.files;
  const shown = useMemo(
    () => (kind === 'all' ? files : files.filter(({ verdict }) => verdict.kind === kind)),
    [files, kind],
  );
  const isBlocked = rulesProblems(draft.rules).length > 0;
  const note = isBlocked
    ? words.unusable
    : error !== null
      ? error.message
      : isStale
        ? words.stale
        : words.sum(totals.upload.files, totals.upload.bytes);
  return (
    <>
      <div className={styles.previewHead}>
        <h2 className={styles.groupTitle}>{words.title}</h2>
        <p className={styles.hint} role="status">
          {note}
        </p>
        <Segments
          hideLabel
          label={words.which}
          value={kind}
          options={[
            { value: 'all', label: words.all(all) },
            { value: 'upload', label: words.upload(totals.upload.files) },
            { value: 'wait', label: words.wait(totals.wait.files) },
            { value: 'skip', label: words.skip(totals.skip.files) },
          ]}
          onChange={setKind}
        />
        {isAll ? null : <p className={styles.hint}>{words.partial}</p>}
        {files.length < all ? <p className={styles.hint}>{words.listed(files.length, all)}</p> : null}
      </div>
      <div className={classes(styles.previewList, (isStale || isBlocked) && styles.stale)}>
        <FileGrid files={shown} listKey={kind} />
        {shown.length > 0 ? null : all === 0 ? (
          <div className={styles.cover}>
            <EmptyState icon={Inbox} title={words.empty} text={words.emptyText} />
          </div>
        ) : (
          <div className={styles.cover}>
            <EmptyState icon={FileSearch} title={words.none} text={words.noneText} />
          </div>
        )}
      </div>
      <Why draft={draft} />
    </>
  );
}

function FileGrid({ files, listKey }: { files: readonly PreviewedFile[]; listKey: string }) {
  const path = useSelectedFile((state) => state.path);
  const focus = files.findIndex((file) => file.path === path);
  const selection = useMemo<Selection>(
    () => ({ ids: new Set(path === null ? [] : [path]), focus, anchor: focus }),
    [path, focus],
  );
  // After a change of the rules, the decision about the selected file may differ.
  useEffect(() => {
    const verdict = files[focus]?.verdict ?? null;
    if (verdict !== null) useSelectedFile.setState({ verdict });
  }, [files, focus]);
  const idAt = useCallback((index: number) => files[index]?.path, [files]);
  const onSelect = useCallback(
    (next: Selection) => {
      const file = files[next.focus];
      if (file === undefined) return;
      useSelectedFile.setState({ path: file.path, verdict: file.verdict });
      if (file.verdict.ruleId !== null) selectRule(file.verdict.ruleId);
    },
    [files],
  );
  return (
    <VirtualGrid
      label={words.label}
      total={files.length}
      rowHeight={ROW_HEIGHT}
      columnCount={2}
      listKey={listKey}
      idAt={idAt}
      selection={selection}
      isSingle
      onSelect={onSelect}
      onShow={nothingToShow}
      onReach={nothingToLoad}
      renderRow={(index) => <FileRow file={files[index]} />}
    />
  );
}

const nothingToShow = () => undefined;
const nothingToLoad = () => Promise.resolve();

function FileRow({ file }: { file: PreviewedFile | undefined }) {
  if (file === undefined) return null;
  const { path, plan, verdict, sizeBytes } = file;
  return (
    <div className={styles.previewRow} role="presentation" data-preview-path={path} data-verdict={verdict.kind}>
      <Cell className={styles.previewFile} title={path}>
        <bdi>{path}</bdi>
      </Cell>
      <Cell className={styles.previewEffect}>
        <StateChip look={lookOf(verdict)} state={verdict.kind} />
        {plan === null ? (
          <span className={styles.previewReason}>{verdictText(verdict)}</span>
        ) : (
          <span className={styles.previewTitle} title={plan.titleNotice?.message ?? plan.title ?? ''}>
            {plan.title ?? words.titleLater}
          </span>
        )}
      </Cell>
      {plan === null ? null : (
        <Cell className={styles.previewPlan}>
          {plan.titleNotice === null ? null : (
            <span className={styles.previewNotice} title={plan.titleNotice.message}>
              {`${plan.titleNotice.message} · `}
            </span>
          )}
          <Place plan={plan} size={formatBytes(sizeBytes)} />
        </Cell>
      )}
    </div>
  );
}

/** The collection of a file; a collection for a sub-folder may not exist yet. */
function Place({ plan, size }: { plan: NonNullable<PreviewedFile['plan']>; size: string }) {
  const { name, below, creates } = plan.collection;
  const path = [name, ...below].join(' › ');
  return creates && below.length > 0 ? words.goesToNew(path, size) : words.goesTo(path, size);
}

/** Explains the decision about the selected file: each rule that does not apply to it, and the rule that decides. */
function Why({ draft }: { draft: FolderDraft }) {
  const path = useSelectedFile((state) => state.path);
  const verdict = useSelectedFile((state) => state.verdict);
  if (path === null || verdict === null) return null;
  const { rules } = draft.rules;
  const own = rules.find(({ id }) => id === verdict.ruleId)?.name;
  const named = {
    ...verdict,
    ruleName: verdict.ruleId === DEFAULT_RULE_ID ? null : (own ?? verdict.ruleName),
  };
  return (
    <div className={styles.why} role="status" data-testid="why">
      <h3 className={styles.whyTitle}>{path}</h3>
      <ol>
        {passedTexts(verdict, rules).map((line) => (
          <li key={line}>{line}</li>
        ))}
        <li className={styles.decision}>{verdictText(named)}</li>
      </ol>
    </div>
  );
}
