import { useState } from 'react';
import { Splitter } from '../../components/splitter.tsx';
import { preferences, savePreferences } from '../../stores/app/preferences.ts';
import { Inspector } from './inspector/inspector.tsx';
import styles from './library-view.module.css';
import listStyles from './media/media-list.module.css';
import { MediaList } from './media/media-list.tsx';
import { MediaToolbar } from './media/media-toolbar.tsx';

/** The list of media and the inspector beside it. */
export function LibraryView() {
  const [width, setWidth] = useState(() => preferences().inspectorWidth);
  return (
    <div className={styles.view}>
      <main className={listStyles.pane} aria-label="Library">
        <MediaToolbar />
        <MediaList />
      </main>
      <Splitter
        label="Width of the inspector"
        width={width}
        min={280}
        max={620}
        direction={-1}
        onChange={setWidth}
        onCommit={(inspectorWidth) => savePreferences({ inspectorWidth })}
      />
      <Inspector width={width} />
    </div>
  );
}
