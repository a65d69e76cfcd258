import { useMemo, useState } from 'react';
import { MOST_LISTED_FILES } from '../../../../shared/model/preview-limit.ts';
import { Button, classes } from '../../../kit/components/button.tsx';
import { GridEditor } from '../../common/grid/grid-editor.tsx';
import { SeriesFill } from '../../common/series/series-fill.tsx';
import { changeTable, filesOf, useAdd } from '../state/add-store.ts';
import styles from './file-panel.module.css';
import parts from './parts.module.css';
import { FillDialog } from './pattern/fill-dialog.tsx';
import { sheetRemark } from './preview-text.ts';
import { SoundList } from './sound-list.tsx';
import { texts } from './texts.ts';

/** Lists the files to add, up to `MOST_LISTED_FILES`, with fields that the user can change for each file. */
export function FilePanel() {
  const preview = useAdd((state) => state.preview);
  const paths = useAdd((state) => state.paths);
  const table = useAdd((state) => state.table);
  const isCounting = useAdd((state) => state.isCounting);
  const [isFilling, setFilling] = useState(false);
  const files = filesOf(preview);
  const names = useMemo(() => files.map(({ fileName }) => fileName), [files]);
  if (table === null || names.length === 0) {
    const remark = preview === null ? texts.sheet.unknown : (sheetRemark(preview) ?? texts.sheet.noFiles);
    return (
      <div className={styles.panel}>
        <div className={classes(parts.empty, styles.empty)} role="status">
          {isCounting ? texts.sheet.listing : remark}
        </div>
      </div>
    );
  }
  return (
    <section className={styles.panel} data-field="files" aria-label={texts.sheet.table}>
      <GridEditor
        name="files"
        label={texts.sheet.table}
        className={styles.grid}
        model={table}
        onModel={changeTable}
        rowLabel={(row) => names[row] ?? ''}
        tools={
          <>
            <Button variant="quiet" onPress={() => setFilling(true)}>
              {texts.sheet.pattern}
            </Button>
            <SeriesFill table={table} column="publish" nameColumn="title" onModel={changeTable} />
          </>
        }
      />
      <SoundList />
      {isFilling && paths !== null ? (
        <FillDialog table={table} files={files} roots={paths} onClose={() => setFilling(false)} />
      ) : null}
      {preview?.list?.isAll === false ? (
        <p className={styles.more}>{texts.sheet.listedFirst(MOST_LISTED_FILES)}</p>
      ) : null}
    </section>
  );
}
