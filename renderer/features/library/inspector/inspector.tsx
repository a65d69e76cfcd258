import { ExternalLink } from 'lucide-react';
import { useEffect } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import type { MediaFile } from '../../../../shared/api/files.ts';
import type { MediaDetail } from '../../../../shared/contract/library.ts';
import { IconButton } from '../../../kit/components/button.tsx';
import { ErrorState } from '../../../kit/components/status/empty-state.tsx';
import { StateChip } from '../../../kit/components/status/state-chip.tsx';
import { formatDuration } from '../../../kit/text/format.ts';
import { isAtWork, mediaLook, typeWord } from '../../../kit/text/states.ts';
import { openWebPage } from '../../common/commands/commands.ts';
import { FilesTab } from '../files/files-tab.tsx';
import { focusMediaList, noteBlur, noteField, returnToField, takeInspectorFocus } from '../focus.ts';
import { type InspectorTab, loadDetail, useInspector } from '../state/inspector-store.ts';
import { useSelectedCount } from '../state/selection/media-selection.ts';
import { useTree } from '../state/tree-store.ts';
import { texts } from '../texts.ts';
import styles from './inspector.module.css';
import { InspectorDetails } from './inspector-details.tsx';
import { ItemNav, ItemPicture } from './inspector-head.tsx';
import { InspectorCollection, InspectorSummary } from './inspector-summary.tsx';

/** Shows the selection: a single item with its fields, several items as totals. The caller wraps it in a landmark. */
export function Inspector({ width }: { width?: number }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape leaves the inspector; its fields and buttons have the focus
    <div
      className={styles.inspector}
      style={{ width: width ?? '100%' }}
      data-inspector
      onFocus={(event) => noteField(event.target)}
      onBlur={(event) => noteBlur(event.relatedTarget)}
      onKeyDown={(event) => {
        // In a drawer Escape closes the drawer, which returns the focus.
        if (event.key === 'Escape' && !event.defaultPrevented && width !== undefined) focusMediaList();
      }}
    >
      <Contents />
    </div>
  );
}

function Contents() {
  const selected = useSelectedCount();
  const mediaId = useInspector((state) => state.mediaId);
  const detail = useInspector((state) => state.detail);
  const loadError = useInspector((state) => state.loadError);
  const openCollection = useTree(({ rows, selectedId }) => (selectedId === null ? undefined : rows.get(selectedId)));
  if (selected > 1) return <InspectorSummary />;
  if (mediaId === null && openCollection !== undefined) return <InspectorCollection row={openCollection} />;
  if (mediaId === null) {
    return (
      <div className={styles.nothing}>
        <p>{texts.inspector.nothing}</p>
        <p>{texts.inspector.nothingHint}</p>
      </div>
    );
  }
  if (detail === null && loadError !== null) {
    return <ErrorState title={texts.inspector.notRead} error={loadError} onRetry={() => void loadDetail()} />;
  }
  return (
    <>
      <ItemNav />
      {detail === null ? null : <Item key={mediaId} detail={detail} />}
    </>
  );
}

const POLL_MS = 4000;

/** Loads the item repeatedly while the library processes one of its files. */
function useFreshFiles(files: readonly MediaFile[]): void {
  const isMoving = files.some((file) => [file, ...(file.encodings ?? [])].some(({ status }) => isAtWork(status)));
  useEffect(() => {
    if (!isMoving) return;
    const timer = window.setInterval(() => void loadDetail(), POLL_MS);
    return () => window.clearInterval(timer);
  }, [isMoving]);
}

function Item({ detail }: { detail: MediaDetail }) {
  const { item, files, viewUrl, areFilesUnknown = false } = detail;
  const tab = useInspector((state) => state.tab);
  const siteId = useInspector((state) => state.siteId);
  useFreshFiles(files);
  // Runs in the next frame, because a drawer takes the focus itself when it opens.
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      takeInspectorFocus();
      returnToField();
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <>
      <header className={styles.head}>
        <div className={styles.headTop}>
          <ItemPicture siteId={siteId} detail={detail} />
          <h2 className={styles.name} title={item.title}>
            {item.title || texts.inspector.untitled}
          </h2>
          {viewUrl === null ? null : (
            <IconButton label={texts.inspector.openPage} small onPress={() => void openWebPage(viewUrl)}>
              <ExternalLink size={14} />
            </IconButton>
          )}
        </div>
        <div className={styles.facts}>
          <StateChip look={mediaLook(item.status)} state={item.status} filled />
          {item.type === null && (files.length > 0 || areFilesUnknown) ? null : <span>{typeWord(item.type)}</span>}
          {item.duration ? <span>{formatDuration(item.duration)}</span> : null}
          {detail.collectionName === null ? null : <span>{texts.inspector.inCollection(detail.collectionName)}</span>}
        </div>
      </header>
      <Tabs
        className={styles.tabs ?? ''}
        selectedKey={tab}
        onSelectionChange={(key) => useInspector.setState({ tab: key as InspectorTab })}
      >
        <TabList className={styles.tabList ?? ''} aria-label={texts.inspector.tabs}>
          <Tab id="details" className={styles.tab ?? ''}>
            {texts.inspector.details}
          </Tab>
          <Tab id="files" className={styles.tab ?? ''}>
            {texts.inspector.files}
            {areFilesUnknown ? null : <span className={styles.tabCount}>{files.length}</span>}
          </Tab>
        </TabList>
        <TabPanel id="details" className={styles.panel ?? ''}>
          <InspectorDetails />
        </TabPanel>
        <TabPanel id="files" className={styles.panel ?? ''}>
          {siteId === null ? null : <FilesTab siteId={siteId} detail={detail} />}
        </TabPanel>
      </Tabs>
    </>
  );
}
