import { LayoutGrid, List } from 'lucide-react';
import { Segments } from '../../../kit/components/forms/choice.tsx';
import { type MediaLayout, resizeTiles, showLayout, TILE_WIDTH, useMediaLayout } from '../state/media-layout.ts';
import styles from './layout-controls.module.css';
import { texts } from './texts.ts';

const LAYOUTS: readonly { value: MediaLayout; label: string; icon: React.ReactNode }[] = [
  { value: 'list', label: texts.layout.list, icon: <List size={15} aria-hidden /> },
  { value: 'grid', label: texts.layout.grid, icon: <LayoutGrid size={15} aria-hidden /> },
];

/** Shows the items as a list or as a grid. */
export function LayoutSwitch() {
  const layout = useMediaLayout((state) => state.layout);
  return (
    <div className={styles.layout}>
      <Segments label={texts.layout.label} hideLabel value={layout} options={LAYOUTS} onChange={showLayout} />
    </div>
  );
}

/** The size of the tiles of the grid. */
export function TileSize() {
  const tileWidth = useMediaLayout((state) => state.tileWidth);
  return (
    <input
      type="range"
      className={styles.size}
      aria-label={texts.tile.size}
      title={texts.tile.size}
      {...TILE_WIDTH}
      value={tileWidth}
      onChange={(event) => resizeTiles(event.currentTarget.valueAsNumber, false)}
      onPointerUp={(event) => resizeTiles(event.currentTarget.valueAsNumber, true)}
      onKeyUp={(event) => resizeTiles(event.currentTarget.valueAsNumber, true)}
    />
  );
}
