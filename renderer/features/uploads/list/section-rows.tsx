import { memo, type ReactNode } from 'react';
import { classes } from '../../../kit/components/button.tsx';
import rowStyles from '../../../kit/components/list/rows.module.css';
import type { RowSlot } from '../../../kit/lists/row-slots.ts';
import { UploadRowCells } from '../row/upload-row.tsx';
import type { Outline, Section } from '../state/outline/outline.ts';
import { uploadIdAt } from '../state/outline/outline-store.ts';
import { BatchHeader, SkippedHeader } from './batch-header.tsx';
import styles from './grid.module.css';

interface SectionRowsProps {
  gridId: string;
  outline: Outline;
  section: Section;
  /** The position of the batch among all listed ones, from 1. */
  position: number;
  /** The rows of the list to render, with their elements. */
  slots: readonly RowSlot[];
  /** The current row of the keyboard; -1 for none. */
  current: number;
  selected: ReadonlySet<string>;
}

/** A batch: its header, which stays at the top while its uploads scroll, and its visible uploads. */
export function SectionRows(props: SectionRowsProps) {
  const { gridId, outline, section, position, slots, current, selected } = props;
  const end = section.first + section.count;
  return (
    <div className={styles.section} role="presentation" style={{ top: section.top, height: section.height }}>
      <BatchRow
        id={`${gridId}-${section.first}`}
        index={section.first}
        height={outline.heights.batch}
        level={1}
        position={position}
        setSize={outline.sections.length}
        isCurrent={current === section.first}
        batchId={section.id}
        isExpanded={section.isExpanded}
      />
      {slots.map(({ slot, index }) => {
        const place = index > section.first && index < end ? outline.placeAt(index) : undefined;
        if (place === undefined || place.kind === 'batch') return null;
        const common = {
          id: `${gridId}-${index}`,
          index,
          height: outline.heightOf(index),
          top: outline.topOf(index) - section.top,
          isCurrent: current === index,
        };
        if (place.kind === 'skipped') {
          return (
            <SkippedRow
              key="skipped"
              {...common}
              level={2}
              position={section.rows + 1}
              setSize={section.rows + 1}
              count={section.skipped}
              isExpanded={section.areSkippedOpen}
            />
          );
        }
        const uploadId = uploadIdAt(index);
        const isSkipped = place.part === 'skipped';
        return (
          <UploadRow
            key={slot}
            {...common}
            level={isSkipped ? 3 : 2}
            position={place.at + 1}
            setSize={isSkipped ? section.skipped : section.rows + (section.skipped > 0 ? 1 : 0)}
            uploadId={uploadId}
            isSelected={uploadId !== undefined && selected.has(uploadId)}
          />
        );
      })}
    </div>
  );
}

interface RowProps {
  id: string;
  index: number;
  height: number;
  /** The distance from the top of its batch in pixels; unset for the header, which stays in the flow. */
  top?: number;
  level: number;
  position: number;
  setSize: number;
  isCurrent: boolean;
}

// The props of a row are compared by value, so that scrolling renders only the rows that appear.

interface BatchRowProps extends RowProps {
  batchId: string;
  isExpanded: boolean;
}

const BatchRow = memo(function BatchRow({ batchId, ...row }: BatchRowProps) {
  return (
    <GridRow {...row} className={styles.header}>
      <BatchHeader batchId={batchId} isExpanded={row.isExpanded} />
    </GridRow>
  );
});

interface SkippedRowProps extends RowProps {
  count: number;
  isExpanded: boolean;
}

const SkippedRow = memo(function SkippedRow({ count, ...row }: SkippedRowProps) {
  return (
    <GridRow {...row}>
      <SkippedHeader count={count} isOpen={row.isExpanded} />
    </GridRow>
  );
});

interface UploadRowProps extends RowProps {
  /** Undefined while the row is not loaded. */
  uploadId: string | undefined;
  isSelected: boolean;
}

const UploadRow = memo(function UploadRow({ uploadId, ...row }: UploadRowProps) {
  return (
    <GridRow {...row}>
      <UploadRowCells id={uploadId} />
    </GridRow>
  );
});

interface GridRowProps extends RowProps {
  isExpanded?: boolean;
  isSelected?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

function GridRow(props: GridRowProps) {
  const { id, index, height, top, level, position, setSize, isCurrent, isExpanded, isSelected, className } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: CSS places the rows, and only visible ones exist
    <div
      id={id}
      role="row"
      tabIndex={-1}
      data-index={index}
      aria-rowindex={index + 1}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={setSize}
      {...(isExpanded === undefined ? {} : { 'aria-expanded': isExpanded })}
      {...(isSelected === undefined ? {} : { 'aria-selected': isSelected })}
      {...(isCurrent ? { 'data-focus': '' } : {})}
      className={classes(rowStyles.row, styles.row, className)}
      style={top === undefined ? { height } : { height, top }}
    >
      {props.children}
    </div>
  );
}
