import { memo, type ReactNode } from 'react';
import { classes } from '../../../components/button.tsx';
import type { Outline, Section } from '../../../stores/uploads/outline/outline.ts';
import { uploadIdAt } from '../../../stores/uploads/outline/outline-store.ts';
import { UploadRowCells } from '../row/upload-row.tsx';
import { BatchHeader } from './batch-header.tsx';
import styles from './grid.module.css';
import { SkippedHeader } from './skipped-header.tsx';

interface SectionRowsProps {
  gridId: string;
  outline: Outline;
  section: Section;
  /** The place of the batch among all listed ones, from 1. */
  position: number;
  /** The rows of the list to render, both ends included. */
  first: number;
  last: number;
  /** The current row of the keyboard; -1 for none. */
  current: number;
  selected: ReadonlySet<string>;
}

/** A batch: its header, which stays at the top while its uploads scroll, and its visible uploads. */
export function SectionRows(props: SectionRowsProps) {
  const { gridId, outline, section, position, first, last, current, selected } = props;
  const indexes: number[] = [];
  const end = Math.min(last, section.first + section.count - 1);
  for (let index = Math.max(first, section.first + 1); index <= end; index += 1) indexes.push(index);
  return (
    <div className={styles.section} role="presentation" style={{ top: section.top, height: section.height }}>
      <GridRow
        id={`${gridId}-${section.first}`}
        index={section.first}
        height={outline.heights.batch}
        level={1}
        position={position}
        setSize={outline.sections.length}
        isCurrent={current === section.first}
        isExpanded={section.isExpanded}
        className={styles.header}
      >
        <BatchHeader batchId={section.id} isExpanded={section.isExpanded} />
      </GridRow>
      {indexes.map((index) => {
        const place = outline.placeAt(index);
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
            <GridRow
              key="skipped"
              {...common}
              level={2}
              position={section.rows + 1}
              setSize={section.rows + 1}
              isExpanded={section.areSkippedOpen}
            >
              <SkippedHeader count={section.skipped} isOpen={section.areSkippedOpen} />
            </GridRow>
          );
        }
        const id = uploadIdAt(index);
        const isSkipped = place.part === 'skipped';
        return (
          <GridRow
            key={`${place.part}/${place.at}`}
            {...common}
            level={isSkipped ? 3 : 2}
            position={place.at + 1}
            setSize={isSkipped ? section.skipped : section.rows + (section.skipped > 0 ? 1 : 0)}
            isSelected={id !== undefined && selected.has(id)}
          >
            <UploadRowCells id={id} />
          </GridRow>
        );
      })}
    </div>
  );
}

interface GridRowProps {
  id: string;
  index: number;
  height: number;
  /** Pixels from the top of its batch; not for the header, which stays in the flow. */
  top?: number;
  level: number;
  position: number;
  setSize: number;
  isCurrent: boolean;
  isExpanded?: boolean;
  isSelected?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

const GridRow = memo(function GridRow(props: GridRowProps) {
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
      className={classes(styles.row, className)}
      style={top === undefined ? { height } : { height, transform: `translateY(${top}px)` }}
    >
      {props.children}
    </div>
  );
});
