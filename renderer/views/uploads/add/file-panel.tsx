import { useMemo } from 'react';
import { MOST_LISTED_FILES } from '../../../../shared/model/preview-limit.ts';
import { changeTable, filesOf, useAdd } from '../../../stores/uploads/add-store.ts';
import { GridEditor } from '../../shared/grid/grid-editor.tsx';
import styles from './file-panel.module.css';
import { ManifestNotices } from './manifest/manifest-notices.tsx';
import { PairNotice } from './pairing/pair-notice.tsx';
import { sheetRemark } from './preview-text.ts';
import { texts } from './texts.ts';

/** Every file of the sheet before it is added, with fields that can be changed for each. */
export function FilePanel() {
  const preview = useAdd((state) => state.preview);
  const table = useAdd((state) => state.table);
  const isCounting = useAdd((state) => state.isCounting);
  const files = filesOf(preview);
  const names = useMemo(() => files.map(({ fileName }) => fileName), [files]);
  if (table === null || names.length === 0) {
    const remark = preview === null ? texts.sheet.unknown : (sheetRemark(preview) ?? texts.sheet.noFiles);
    return (
      <div className={styles.panel}>
        <ManifestNotices />
        <div className={styles.empty} role="status">
          {isCounting ? texts.sheet.listing : remark}
        </div>
      </div>
    );
  }
  return (
    <section className={styles.panel} data-field="files" aria-label={texts.sheet.table}>
      <ManifestNotices />
      <PairNotice />
      <GridEditor
        label={texts.sheet.table}
        className={styles.grid}
        model={table}
        onModel={changeTable}
        rowLabel={(row) => names[row] ?? ''}
      />
      {preview?.list?.isAll === false ? (
        <p className={styles.more}>{texts.sheet.listedFirst(MOST_LISTED_FILES)}</p>
      ) : null}
    </section>
  );
}
