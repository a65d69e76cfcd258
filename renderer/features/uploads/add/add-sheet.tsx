import { CircleAlert, Tags } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { AddUploadsOutput } from '../../../../shared/contract/uploads.ts';
import { Button, classes } from '../../../kit/components/button.tsx';
import { ConfirmDialog, Dialog, FooterSpace } from '../../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { formatBytes } from '../../../kit/text/format.ts';
import { showView } from '../../common/state/app-store.ts';
import { addedCount } from '../state/add-described.ts';
import { tableSumOf } from '../state/add-files.ts';
import { closeAddSheet, filesOf, useAdd } from '../state/add-store.ts';
import { texts as storeTexts } from '../state/texts.ts';
import { titleState } from '../state/title-contents.ts';
import { ADD_FORM, AddForm } from './add-form.tsx';
import styles from './add-sheet.module.css';
import { FilePanel } from './file-panel.tsx';
import { ManifestNotices } from './manifest/manifest-notices.tsx';
import { PairNotice } from './pairing/pair-dialog.tsx';
import parts from './parts.module.css';
import { sheetCounts, sheetSum, sheetTitle } from './preview-text.ts';
import { SheetNotice } from './sheet-notice.tsx';
import type { SheetProblem } from './sheet-problems.ts';
import { TitleNotices } from './similar/title-notices.tsx';
import { texts } from './texts.ts';

const PROBLEM = 'add-uploads-problem';

/** The sheet before adding: the collection, the options of all files, and a table of the files. */
export function AddSheet() {
  const isOpen = useAdd((state) => state.paths !== null);
  const result = useAdd((state) => state.result);
  if (!isOpen) return null;
  return result === null ? <OpenSheet /> : <AddResult result={result} />;
}

function OpenSheet() {
  const preview = useAdd((state) => state.preview);
  const table = useAdd((state) => state.table);
  const isAdding = useAdd((state) => state.isAdding);
  const paths = useAdd((state) => state.paths);
  const [problems, setProblems] = useState<readonly SheetProblem[]>([]);
  const [isDiscarding, setDiscarding] = useState(false);
  const [first] = problems;
  // The sheet was opened again for other files.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the paths identify one opening
  useEffect(() => setProblems([]), [paths]);
  const counts = useMemo(
    () => sheetCounts(preview, table === null ? null : tableSumOf(table, filesOf(preview))),
    [preview, table],
  );
  const changedRows = table?.changedRows ?? 0;
  const close = () => (changedRows > 0 && !isAdding ? setDiscarding(true) : closeAddSheet());
  return (
    <Dialog
      title={sheetTitle(counts)}
      isOpen
      onClose={close}
      width={1640}
      footer={
        <>
          {first === undefined ? (
            <span className={styles.sum} role="status">
              {sheetSum(counts)}
            </span>
          ) : (
            <span id={PROBLEM} className={styles.blocked} role="alert">
              <CircleAlert size={14} aria-hidden />
              {first.message}
            </span>
          )}
          <FooterSpace />
          <Button onPress={close} isDisabled={isAdding}>
            {texts.sheet.cancel}
          </Button>
          <Button
            variant="primary"
            type="submit"
            form={ADD_FORM}
            isDisabled={isAdding}
            {...(first === undefined ? {} : { 'aria-describedby': PROBLEM })}
          >
            {isAdding ? texts.sheet.submitting : texts.sheet.submit}
          </Button>
        </>
      }
    >
      <div className={classes(parts.parts, styles.sheet)}>
        <SheetNotices />
        <AddForm key={paths?.[0]} problems={problems} onProblems={setProblems} />
        <FilePanel />
      </div>
      <ConfirmDialog
        title={texts.sheet.discard.title}
        text={texts.sheet.discard.text(changedRows)}
        keep={texts.sheet.discard.keep}
        confirm={texts.sheet.discard.confirm}
        isOpen={isDiscarding}
        onConfirm={closeAddSheet}
        onClose={() => setDiscarding(false)}
      />
    </Dialog>
  );
}

/**
 * The notices about choices that the user can make for the added files: above their table; in a narrow sheet, above everything.
 */
function SheetNotices() {
  return (
    <div className={styles.notices}>
      <ManifestNotices />
      <PairNotice />
      <TitleNotice />
      <TitleNotices />
    </div>
  );
}

/** Shows how many titles still need data from inside the files, and how many titles are file names because a value is missing. */
function TitleNotice() {
  const preview = useAdd((state) => state.preview);
  const table = useAdd((state) => state.table);
  const titleTemplate = useAdd((state) => state.options.titleTemplate);
  const tags = useAdd((state) => state.options.tags);
  const contents = useAdd((state) => state.contents);
  const error = useAdd((state) => state.contentsError);
  const descriptions = useAdd((state) => state.descriptions);
  const state = useMemo(
    () =>
      table === null ? null : titleState(table, filesOf(preview), { titleTemplate, tags, contents, descriptions }),
    [table, preview, titleTemplate, tags, contents, descriptions],
  );
  if (state === null) return null;
  if (error !== null) return <InlineError error={error} />;
  const { files, pending, fallbacks } = state;
  if (pending === 0 && fallbacks === 0) return null;
  return (
    <SheetNotice
      icon={<Tags size={15} aria-hidden />}
      isOpen={pending === 0}
      text={pending > 0 ? texts.sheet.readingTitles(files - pending, files) : storeTexts.fallbackTitles(fallbacks)}
      hint={pending > 0 ? null : texts.sheet.fallbackHint}
      testId="title-notice"
    />
  );
}

/** The result when files were skipped: how many were added, and the reason of each skipped file. */
function AddResult({ result }: { result: AddUploadsOutput }) {
  const count = addedCount(result);
  const close = () => {
    closeAddSheet();
    if (count > 0) showView('uploads');
  };
  const more = result.skippedCount - result.skipped.length;
  return (
    <Dialog
      title={count === 0 ? texts.result.nothing : texts.result.added(count)}
      isOpen
      onClose={close}
      width={520}
      footer={
        <>
          <FooterSpace />
          <Button variant="primary" autoFocus onPress={close}>
            {texts.result.close}
          </Button>
        </>
      }
    >
      <p className={styles.lead}>
        {count === 0 ? '' : texts.result.willSend(formatBytes(result.addedBytes + (result.late?.bytes ?? 0)))}
        {result.skippedCount === 0 ? texts.result.noFiles : texts.result.skipped(result.skippedCount)}
      </p>
      <ul className={styles.skipped} aria-label={texts.result.skippedLabel}>
        {result.skipped.map(({ path, error }) => (
          <li key={path}>
            <span className={styles.skippedName} title={path}>
              {path.split(/[\\/]/).at(-1)}
            </span>
            <span>
              {error.message} {error.nextStep}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 ? <p className={styles.lead}>{texts.result.more(more)}</p> : null}
    </Dialog>
  );
}
